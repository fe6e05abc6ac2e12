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

// As spelled in the file format: "BF16".
std::string_view ToText(DType dtype);

// nullopt for unsupported types, such as "F8_E4M3".
std::optional<DType> ParseDType(std::string_view word);

int64_t SizeBytes(DType dtype);

// Bits of a value as BF16: rounded to nearest, ties to even; overflow becomes infinity.
// Narrowing a widened value restores its bits, including NaN payloads; a NaN is never
// narrowed to infinity.
inline uint16_t FloatToBf16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) {  // NaN: keeps the payload bits that fit, at least one.
    const uint32_t kept = bits >> 16;
    return static_cast<uint16_t>((kept & 0x7F) != 0 ? kept : kept | 0x40);
  }
  // Half of the last kept bit, less one if that bit is even. A carry propagates correctly
  // into the exponent, and from the largest exponent to infinity.
  const uint32_t rounding = 0x7FFF + ((bits >> 16) & 1);
  return static_cast<uint16_t>((bits + rounding) >> 16);
}

// Product of all dimensions, 1 if there are none; nullopt on overflow of 63 bits or if a
// dimension is negative.
std::optional<int64_t> NumElements(std::span<const int64_t> shape);
std::optional<int64_t> SizeBytes(DType dtype, std::span<const int64_t> shape);

// "[2, 3]"
std::string ToText(std::span<const int64_t> shape);

}  // namespace ridgeline::checkpoints
