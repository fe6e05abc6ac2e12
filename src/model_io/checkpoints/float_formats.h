// The two 16-bit floats of checkpoints, as bits, to and from float.
//
// Widening is exact. Narrowing rounds to the nearest, ties to even, and past the largest
// to infinity. What was widened and is narrowed again has the same bits, be it a NaN with
// a payload; a NaN is never narrowed to infinity.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace ridgeline::checkpoints {

inline float Bf16ToFloat(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

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

float F16ToFloat(uint16_t bits);
uint16_t FloatToF16(float value);

// Many at once; both spans are of one size.
void Bf16ToFloat(std::span<const uint16_t> from, std::span<float> to);
void FloatToBf16(std::span<const float> from, std::span<uint16_t> to);
void F16ToFloat(std::span<const uint16_t> from, std::span<float> to);
void FloatToF16(std::span<const float> from, std::span<uint16_t> to);

}  // namespace ridgeline::checkpoints
