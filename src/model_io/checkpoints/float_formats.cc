#include "model_io/checkpoints/float_formats.h"

#include <algorithm>
#include <cassert>

namespace ridgeline::checkpoints {
namespace {

// A float is 1 sign, 8 exponent (bias 127) and 23 mantissa bits; F16 has 1, 5 (bias 15)
// and 10.
constexpr uint32_t kSignMask = 0x80000000;
constexpr uint32_t kInfinity = 0x7F800000;
constexpr uint16_t kF16Infinity = 0x7C00;
constexpr int kMantissaShift = 23 - 10;
constexpr int kBiasDifference = 127 - 15;

// Drops the lowest `shift` bits, 1 to 31 of them.
uint32_t ShiftToNearestEven(uint32_t value, int shift) {
  const uint32_t kept = value >> shift;
  const uint32_t dropped = value & ((uint32_t{1} << shift) - 1);
  const uint32_t half = uint32_t{1} << (shift - 1);
  const bool up = dropped > half || (dropped == half && (kept & 1) != 0);
  return kept + (up ? 1 : 0);
}

}  // namespace

float F16ToFloat(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1F;
  uint32_t mantissa = bits & 0x3FF;
  if (exponent == 0x1F) {  // Infinity or NaN.
    return std::bit_cast<float>(sign | kInfinity | (mantissa << kMantissaShift));
  }
  if (exponent != 0) {
    return std::bit_cast<float>(sign | ((exponent + kBiasDifference) << 23) |
                                (mantissa << kMantissaShift));
  }
  if (mantissa == 0) return std::bit_cast<float>(sign);
  // Denormal here, normal as a float: bring its first bit to where it is left out.
  const int shift = std::countl_zero(mantissa) - (31 - 10);
  mantissa = (mantissa << shift) & 0x3FF;
  const auto float_exponent = static_cast<uint32_t>(kBiasDifference + 1 - shift);
  return std::bit_cast<float>(sign | (float_exponent << 23) |
                              (mantissa << kMantissaShift));
}

uint16_t FloatToF16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits & kSignMask) >> 16);
  const uint32_t magnitude = bits & ~kSignMask;
  if (magnitude > kInfinity) {  // NaN: of the payload what fits, but something.
    const uint32_t payload = (magnitude >> kMantissaShift) & 0x3FF;
    return static_cast<uint16_t>(sign | kF16Infinity | (payload != 0 ? payload : 0x200));
  }
  const auto exponent = static_cast<int>(magnitude >> 23) - kBiasDifference;
  if (exponent >= 0x1F) return sign | kF16Infinity;
  if (exponent >= 1) {
    const uint32_t rebiased = magnitude - (static_cast<uint32_t>(kBiasDifference) << 23);
    // A carry goes into the exponent and may reach infinity, as it should.
    return static_cast<uint16_t>(sign | ShiftToNearestEven(rebiased, kMantissaShift));
  }
  // Denormal or zero: the bit that a float leaves out is written again. Beyond 24 places
  // nothing can round up; float denormals are far beyond.
  const int shift = kMantissaShift + 1 - exponent;
  if (shift > 25) return sign;
  const uint32_t mantissa = (magnitude & 0x7FFFFF) | 0x800000;
  return static_cast<uint16_t>(sign | ShiftToNearestEven(mantissa, shift));
}

void Bf16ToFloat(std::span<const uint16_t> from, std::span<float> to) {
  assert(from.size() == to.size());
  std::transform(from.begin(), from.end(), to.begin(),
                 [](uint16_t bits) { return Bf16ToFloat(bits); });
}

void FloatToBf16(std::span<const float> from, std::span<uint16_t> to) {
  assert(from.size() == to.size());
  std::transform(from.begin(), from.end(), to.begin(),
                 [](float value) { return FloatToBf16(value); });
}

void F16ToFloat(std::span<const uint16_t> from, std::span<float> to) {
  assert(from.size() == to.size());
  std::transform(from.begin(), from.end(), to.begin(),
                 [](uint16_t bits) { return F16ToFloat(bits); });
}

void FloatToF16(std::span<const float> from, std::span<uint16_t> to) {
  assert(from.size() == to.size());
  std::transform(from.begin(), from.end(), to.begin(),
                 [](float value) { return FloatToF16(value); });
}

}  // namespace ridgeline::checkpoints
