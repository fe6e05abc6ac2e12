#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ridgeline::images {

// An image as seen by models: 8-bit red, green and blue, top row first.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgb;  // 3 * width * height bytes.

  size_t row_bytes() const { return 3 * static_cast<size_t>(width); }
  uint8_t* row(int y) { return rgb.data() + static_cast<size_t>(y) * row_bytes(); }
  const uint8_t* row(int y) const {
    return rgb.data() + static_cast<size_t>(y) * row_bytes();
  }

  bool operator==(const Image&) const = default;
};

struct Colour {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
};

struct Box {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
};

// Uniform colour. Neither side may be negative.
Image Filled(int width, int height, Colour colour);

// The box must be within the image.
Image Crop(const Image& image, const Box& box);

// Copies `image` onto `canvas` with its corner at (left, top); it must fit.
void Paste(const Image& image, int left, int top, Image& canvas);

}  // namespace ridgeline::images
