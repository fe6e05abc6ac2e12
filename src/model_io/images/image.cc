#include "model_io/images/image.h"

#include <algorithm>
#include <cassert>

namespace ridgeline::images {

Image Filled(int width, int height, Colour colour) {
  assert(width >= 0 && height >= 0);
  Image image{.width = width, .height = height};
  image.rgb.resize(image.row_bytes() * static_cast<size_t>(height));
  for (size_t i = 0; i < image.rgb.size(); i += 3) {
    image.rgb[i] = colour.red;
    image.rgb[i + 1] = colour.green;
    image.rgb[i + 2] = colour.blue;
  }
  return image;
}

Image Crop(const Image& image, const Box& box) {
  assert(box.left >= 0 && box.width >= 0 && box.left + box.width <= image.width);
  assert(box.top >= 0 && box.height >= 0 && box.top + box.height <= image.height);
  Image part{.width = box.width, .height = box.height};
  part.rgb.reserve(part.row_bytes() * static_cast<size_t>(box.height));
  for (int y = 0; y < box.height; ++y) {
    const uint8_t* row = image.row(box.top + y) + 3 * static_cast<size_t>(box.left);
    part.rgb.insert(part.rgb.end(), row, row + part.row_bytes());
  }
  return part;
}

void Paste(const Image& image, int left, int top, Image& canvas) {
  assert(left >= 0 && left + image.width <= canvas.width);
  assert(top >= 0 && top + image.height <= canvas.height);
  for (int y = 0; y < image.height; ++y) {
    std::copy_n(image.row(y), image.row_bytes(),
                canvas.row(top + y) + 3 * static_cast<size_t>(left));
  }
}

}  // namespace ridgeline::images
