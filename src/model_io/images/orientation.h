// Orientation of an image: the values 1..8 of the EXIF tag Orientation (0x0112).
#pragma once

#include <optional>
#include <string_view>

#include "model_io/images/image.h"

namespace ridgeline::images {

// From EXIF data: a TIFF header and its first directory, with or without "Exif\0\0"
// before them. nullopt if there is no such tag or the data is corrupt: an image that is
// not rotated is better than none.
std::optional<int> OrientationOfExif(std::string_view exif);

// From EXIF data as ImageMagick used to store it in PNG texts named "Raw profile type
// exif":
//   \nexif\n      42\n4578696600004d4d...\n
std::optional<int> OrientationOfRawProfile(std::string_view text);

// From XMP, such as <rdf:Description tiff:Orientation="6">.
std::optional<int> OrientationOfXmp(std::string_view xmp);

// Undoes the orientation. Values other than 2..8 leave the image unchanged.
Image Upright(Image image, int orientation);

}  // namespace ridgeline::images
