#include "model_io/images/resize.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace ridgeline::images {
namespace {

// Pillow's fixed point: 8 bits for the result, 2 for weights that are negative or
// temporarily sum to more than 1.
constexpr int kFractionBits = 32 - 8 - 2;
constexpr double kSupport = 2.0;  // The cubic is 0 from there on.

double Cubic(double x) {
  x = std::abs(x);
  if (x < 1.0) return (1.5 * x - 2.5) * x * x + 1.0;
  if (x < 2.0) return (((x - 5.0) * x + 8.0) * x - 4.0) * -0.5;
  return 0.0;
}

// Rounds half away from zero, like Pillow.
int32_t ToFixedPoint(double weight) {
  const double scaled = weight * (1 << kFractionBits);
  return static_cast<int32_t>(weight < 0 ? scaled - 0.5 : scaled + 0.5);
}

// The inputs of one output pixel along a row or column, with their weights.
struct Taps {
  int first = 0;
  std::span<const int32_t> weights;

  int end() const { return first + static_cast<int>(weights.size()); }
};

// The taps of all outputs along one dimension.
class Axis {
 public:
  Axis(int inputs, int outputs);

  Taps at(int output) const {
    const size_t begin = begins_[static_cast<size_t>(output)];
    const size_t end = begins_[static_cast<size_t>(output) + 1];
    return {.first = firsts_[static_cast<size_t>(output)],
            .weights = std::span(weights_).subspan(begin, end - begin)};
  }
  int taps_max() const { return taps_max_; }

 private:
  std::vector<int> firsts_;
  std::vector<size_t> begins_ = {0};  // Offsets of each output's weights, and their end.
  std::vector<int32_t> weights_;
  int taps_max_ = 0;
};

Axis::Axis(int inputs, int outputs) {
  const double scale = static_cast<double>(inputs) / outputs;
  const double stretch = std::max(scale, 1.0);
  const double support = kSupport * stretch;
  // Multiply by it instead of dividing: the last bit of a weight depends on it.
  const double inverse = 1.0 / stretch;
  std::vector<double> exact;
  for (int output = 0; output < outputs; ++output) {
    const double centre = (output + 0.5) * scale;
    const int first = std::max(static_cast<int>(centre - support + 0.5), 0);
    const int end = std::min(static_cast<int>(centre + support + 0.5), inputs);
    exact.clear();
    double sum = 0.0;
    for (int input = first; input < end; ++input) {
      exact.push_back(Cubic((input - centre + 0.5) * inverse));
      sum += exact.back();
    }
    for (const double weight : exact) {
      weights_.push_back(ToFixedPoint(sum == 0.0 ? weight : weight / sum));
    }
    firsts_.push_back(first);
    begins_.push_back(weights_.size());
    taps_max_ = std::max(taps_max_, end - first);
  }
}

// As many sums as fit into registers, so that the compiler vectorizes them: 4 AVX2
// vectors.
constexpr size_t kSums = 32;
constexpr int kPixels = 32;
constexpr size_t kLanes = 3 * kPixels;

// One output byte in each of `kLanes` lanes: the weighted sum of its inputs, which are
// `stride` apart.
[[gnu::always_inline]] inline void SumLanes(const uint8_t* from, size_t stride,
                                            std::span<const int32_t> weights,
                                            uint8_t* to) {
  for (size_t lane = 0; lane < kLanes; lane += kSums) {
    std::array<int32_t, kSums> sums;
    sums.fill(1 << (kFractionBits - 1));
    const uint8_t* tap = from + lane;
    for (const int32_t weight : weights) {
      for (size_t i = 0; i < kSums; ++i) sums[i] += tap[i] * weight;
      tap += stride;
    }
    for (size_t i = 0; i < kSums; ++i) {
      to[lane + i] = static_cast<uint8_t>(std::clamp(sums[i] >> kFractionBits, 0, 255));
    }
  }
}

// The same for `count` lanes. An incomplete last block overlaps the previous one.
[[gnu::always_inline]] inline void SumRowInline(const uint8_t* from, size_t stride,
                                                std::span<const int32_t> weights,
                                                uint8_t* to, size_t count) {
  for (size_t i = 0; i + kLanes <= count; i += kLanes) {
    SumLanes(from + i, stride, weights, to + i);
  }
  const size_t rest = count % kLanes;
  if (rest == 0) return;
  if (count > kLanes) {
    return SumLanes(from + count - kLanes, stride, weights, to + count - kLanes);
  }
  for (size_t i = 0; i < count; ++i) {
    int32_t sum = 1 << (kFractionBits - 1);
    for (size_t tap = 0; tap < weights.size(); ++tap) {
      sum += from[i + tap * stride] * weights[tap];
    }
    to[i] = static_cast<uint8_t>(std::clamp(sum >> kFractionBits, 0, 255));
  }
}

using SumRowFunction = void (*)(const uint8_t* from, size_t stride,
                                std::span<const int32_t> weights, uint8_t* to,
                                size_t count);

void SumRowAnywhere(const uint8_t* from, size_t stride, std::span<const int32_t> weights,
                    uint8_t* to, size_t count) {
  SumRowInline(from, stride, weights, to, count);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void SumRowAvx2(const uint8_t* from, size_t stride,
                                        std::span<const int32_t> weights, uint8_t* to,
                                        size_t count) {
  SumRowInline(from, stride, weights, to, count);
}
#endif

// Baseline x86-64 cannot multiply 32-bit vectors; nearly every CPU can.
SumRowFunction ChooseSumRow() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0) return SumRowAvx2;
#endif
  return SumRowAnywhere;
}

// Copies `count` pixels with these strides. `kCopied` is 4, which is faster than 3, if
// the byte after a pixel may be read and is overwritten later.
template <size_t kCopied>
void CopyPixels(const uint8_t* from, size_t from_stride, uint8_t* to, size_t to_stride,
                int count) {
  for (int i = 0; i < count; ++i, from += from_stride, to += to_stride) {
    std::memcpy(to, from, kCopied);
  }
}

// Scales rows horizontally. Transposes 32 rows, so that one output of all of them is a
// sum over contiguous bytes, and transposes back.
class RowScaler {
 public:
  RowScaler(const Image& image, int width)
      : image_(image),
        width_(width),
        axis_(image.width, width),
        columns_(static_cast<size_t>(image.width) * kLanes) {}

  // Scales rows [first, first + count) of the image to `to`; at most kPixels of them.
  void Scale(int first, int count, uint8_t* to) {
    assert(count <= kPixels);
    TurnRows(first, count);
    const size_t row_bytes = 3 * static_cast<size_t>(width_);
    std::array<uint8_t, kLanes + 1> pixels = {};
    for (int x = 0; x < width_ - 1; ++x, to += 3) {
      SumColumn(x, pixels.data());
      CopyPixels<4>(pixels.data(), 3, to, row_bytes, count);
    }
    SumColumn(width_ - 1, pixels.data());
    CopyPixels<3>(pixels.data(), 3, to, row_bytes, count);
  }

 private:
  // In blocks whose columns stay in the L1 cache while rows are added.
  void TurnRows(int first, int count) {
    constexpr int kBlock = 64;
    for (int x = 0; x < image_.width; x += kBlock) {
      const int width = std::min(kBlock, image_.width - x);
      const uint8_t* from = image_.row(first) + 3 * static_cast<size_t>(x);
      uint8_t* to = columns_.data() + static_cast<size_t>(x) * kLanes;
      for (int y = 1; y < count; ++y, from += image_.row_bytes(), to += 3) {
        CopyPixels<4>(from, 3, to, kLanes, width);
      }
      CopyPixels<3>(from, 3, to, kLanes, width);
    }
  }

  void SumColumn(int x, uint8_t* to) const {
    const Taps taps = axis_.at(x);
    sum_row_(columns_.data() + static_cast<size_t>(taps.first) * kLanes, kLanes,
             taps.weights, to, kLanes);
  }

  const Image& image_;
  int width_;
  Axis axis_;
  std::vector<uint8_t> columns_;
  SumRowFunction sum_row_ = ChooseSumRow();
};

// The rows needed by the vertical pass, scaled horizontally on demand: an image with few
// columns and very many rows would otherwise become huge.
class RowWindow {
 public:
  RowWindow(const Image& image, int width, int rows_max)
      : image_(image),
        scaler_(image, width),
        row_bytes_(3 * static_cast<size_t>(width)),
        capacity_(rows_max + 4 * kPixels),
        rows_(row_bytes_ * static_cast<size_t>(capacity_)) {}

  // Rows `first` up to `end`, at most `rows_max`. Neither may decrease between calls.
  const uint8_t* Rows(int first, int end) {
    while (end_ < end) {
      if (end_ + kPixels > begin_ + capacity_) DropRowsBefore(first);
      const int count = std::min(kPixels, image_.height - end_);
      scaler_.Scale(end_, count, RowAt(end_));
      end_ += count;
    }
    return RowAt(first);
  }

 private:
  uint8_t* RowAt(int y) {
    return rows_.data() + static_cast<size_t>(y - begin_) * row_bytes_;
  }

  void DropRowsBefore(int first) {
    std::memmove(rows_.data(), RowAt(first),
                 static_cast<size_t>(end_ - first) * row_bytes_);
    begin_ = first;
  }

  const Image& image_;
  RowScaler scaler_;
  size_t row_bytes_;
  int capacity_;
  std::vector<uint8_t> rows_;
  int begin_ = 0;  // Rows [begin_, end_) are available.
  int end_ = 0;
};

Image ScaleRows(const Image& image, int width) {
  Image scaled{.width = width, .height = image.height};
  scaled.rgb.resize(scaled.row_bytes() * static_cast<size_t>(scaled.height));
  RowScaler scaler(image, width);
  for (int y = 0; y < image.height; y += kPixels) {
    scaler.Scale(y, std::min(kPixels, image.height - y), scaled.row(y));
  }
  return scaled;
}

// `rows_at(first, end)` returns these rows, already scaled horizontally.
template <typename RowsAt>
Image ScaleColumns(const Axis& axis, int width, int height, RowsAt rows_at) {
  Image scaled{.width = width, .height = height};
  scaled.rgb.resize(scaled.row_bytes() * static_cast<size_t>(height));
  const SumRowFunction sum_row = ChooseSumRow();
  for (int y = 0; y < height; ++y) {
    const Taps taps = axis.at(y);
    sum_row(rows_at(taps.first, taps.end()), scaled.row_bytes(), taps.weights,
            scaled.row(y), scaled.row_bytes());
  }
  return scaled;
}

// Rounds half to even, like Python's round().
int RoundHalfToEven(double x) {
  const double down = std::floor(x);
  const double above = x - down;
  const bool up = above > 0.5 || (above == 0.5 && std::fmod(down, 2.0) != 0.0);
  return static_cast<int>(up ? down + 1.0 : down);
}

}  // namespace

Image ResizeBicubic(const Image& image, int width, int height) {
  assert(image.width > 0 && image.height > 0 && width > 0 && height > 0);
  if (height == image.height && width == image.width) return image;
  if (height == image.height) return ScaleRows(image, width);
  const Axis axis(image.height, height);
  if (width == image.width) {
    return ScaleColumns(axis, width, height,
                        [&](int first, int /*end*/) { return image.row(first); });
  }
  RowWindow window(image, width, axis.taps_max());
  return ScaleColumns(axis, width, height,
                      [&](int first, int end) { return window.Rows(first, end); });
}

Result<Image> PadResize(const Image& image, int side, Colour colour) {
  const double aspect = static_cast<double>(image.width) / image.height;
  int width = side;
  int height = side;
  if (aspect > 1.0) {
    height = RoundHalfToEven(static_cast<double>(image.height) / image.width * side);
  } else if (aspect < 1.0) {
    width = RoundHalfToEven(aspect * side);
  }
  if (width == 0 || height == 0) {
    return Error(ErrorCode::kUnsupported,
                 fmt::format("{}x{} pixels: aspect ratio too extreme to fit into {}x{}",
                             image.width, image.height, side, side));
  }
  Image scaled = ResizeBicubic(image, width, height);
  if (width == side && height == side) return scaled;
  Image canvas = Filled(side, side, colour);
  Paste(scaled, RoundHalfToEven((side - width) * 0.5),
        RoundHalfToEven((side - height) * 0.5), canvas);
  return canvas;
}

}  // namespace ridgeline::images
