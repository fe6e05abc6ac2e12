// How the camera was held: the values 1..8 of the EXIF tag Orientation (0x0112).
#pragma once

#include <optional>
#include <string_view>

#include "model_io/images/image.h"

namespace ridgeline::images {

// Of EXIF data: a TIFF header and its first directory, with or without "Exif\0\0" before
// them. Nothing if there is no such tag or the data is broken: a picture that is not
// turned is better than none.
std::optional<int> OrientationOfExif(std::string_view exif);

// Of EXIF data as ImageMagick once hid it in PNG texts named "Raw profile type exif":
//   \nexif\n      42\n4578696600004d4d...\n
std::optional<int> OrientationOfRawProfile(std::string_view text);

// Of XMP, such as <rdf:Description tiff:Orientation="6">.
std::optional<int> OrientationOfXmp(std::string_view xmp);

// The picture as it was seen. Values other than 2..8 leave it as it is.
Image Upright(Image image, int orientation);

}  // namespace ridgeline::images
