// Data types of .safetensors files, and the size of tensors.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ridgeline::checkpoints {

enum class DType { kF64, kF32, kF16, kBf16, kI64, kI32, kI16, kI8, kU8, kBool };

// The word of the file format: "BF16".
std::string_view ToText(DType dtype);

// Nothing for words that we do not read, such as "F8_E4M3".
std::optional<DType> ParseDType(std::string_view word);

int64_t SizeBytes(DType dtype);

// The bits of a value as BF16: rounded to the nearest, ties to even, and past the largest
// to infinity. What was widened and is narrowed again has the same bits, be it a NaN with
// a payload; a NaN is never narrowed to infinity.
inline uint16_t FloatToBf16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) {  // NaN: of the payload what fits, but something.
    const uint32_t kept = bits >> 16;
    return static_cast<uint16_t>((kept & 0x7F) != 0 ? kept : kept | 0x40);
  }
  // Half of the last kept bit, less one if that bit is even: a carry is a step up, also
  // into the exponent, and from the largest exponent into infinity.
  const uint32_t rounding = 0x7FFF + ((bits >> 16) & 1);
  return static_cast<uint16_t>((bits + rounding) >> 16);
}

// The product of all, 1 for no dimension; nothing if it has no place in 63 bits on the
// way, or if a dimension is negative.
std::optional<int64_t> NumElements(std::span<const int64_t> shape);
std::optional<int64_t> SizeBytes(DType dtype, std::span<const int64_t> shape);

// "[2, 3]".
std::string ToText(std::span<const int64_t> shape);

}  // namespace ridgeline::checkpoints
