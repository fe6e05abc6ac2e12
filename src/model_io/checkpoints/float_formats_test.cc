#include "model_io/checkpoints/float_formats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace ridgeline::checkpoints {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A 16-bit float, by the words of the standard instead of by its bits.
struct Format {
  int exponent_bits;
  int mantissa_bits;
  float (*widen)(uint16_t);
  uint16_t (*narrow)(float);
};

const Format kFormats[] = {
    {8, 7, [](uint16_t bits) { return Bf16ToFloat(bits); },
     [](float value) { return FloatToBf16(value); }},
    {5, 10, [](uint16_t bits) { return F16ToFloat(bits); },
     [](float value) { return FloatToF16(value); }},
};

uint32_t Bits(float value) { return std::bit_cast<uint32_t>(value); }

// The value of bits that are neither infinity nor NaN.
double Meaning(const Format& format, uint16_t bits) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int mantissa = bits & ((1 << format.mantissa_bits) - 1);
  const int exponent = (bits >> format.mantissa_bits) & ((1 << format.exponent_bits) - 1);
  const int whole = exponent == 0 ? mantissa : mantissa + (1 << format.mantissa_bits);
  const double magnitude =
      std::ldexp(whole, std::max(exponent, 1) - bias - format.mantissa_bits);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

uint16_t InfinityOf(const Format& format) {
  return static_cast<uint16_t>(((1 << format.exponent_bits) - 1) << format.mantissa_bits);
}

TEST(FloatFormatsTest, WidensEveryValueExactly) {
  for (const Format& format : kFormats) {
    SCOPED_TRACE(format.exponent_bits);
    for (uint32_t i = 0; i <= 0xFFFF; ++i) {
      const auto bits = static_cast<uint16_t>(i);
      const float widened = format.widen(bits);
      ASSERT_EQ(std::signbit(widened), (bits & 0x8000) != 0) << i;
      const uint16_t magnitude = bits & 0x7FFF;
      if (magnitude > InfinityOf(format)) {
        ASSERT_TRUE(std::isnan(widened)) << i;
      } else if (magnitude == InfinityOf(format)) {
        ASSERT_TRUE(std::isinf(widened)) << i;
      } else {
        ASSERT_EQ(static_cast<double>(widened), Meaning(format, bits)) << i;
      }
    }
  }
}

TEST(FloatFormatsTest, NarrowsEveryWidenedValueToItself) {
  for (const Format& format : kFormats) {
    SCOPED_TRACE(format.exponent_bits);
    for (uint32_t i = 0; i <= 0xFFFF; ++i) {
      const auto bits = static_cast<uint16_t>(i);
      ASSERT_EQ(format.narrow(format.widen(bits)), bits);
    }
  }
}

// Between two neighbours: the middle goes to the even one, the floats next to the middle
// to the nearer one. The largest's upper neighbour would be what infinity stands for.
TEST(FloatFormatsTest, RoundsToTheNearestAndTiesToEven) {
  for (const Format& format : kFormats) {
    SCOPED_TRACE(format.exponent_bits);
    for (uint16_t lower = 0; lower < InfinityOf(format); ++lower) {
      const auto upper = static_cast<uint16_t>(lower + 1);
      const uint16_t even = (lower & 1) == 0 ? lower : upper;
      const auto middle =
          static_cast<float>((Meaning(format, lower) + Meaning(format, upper)) / 2);
      ASSERT_EQ(format.narrow(middle), even) << lower;
      ASSERT_EQ(format.narrow(-middle), even | 0x8000) << lower;
      ASSERT_EQ(format.narrow(std::nextafter(middle, 0.0F)), lower);
      ASSERT_EQ(format.narrow(std::nextafter(middle, kInfinity)), upper);
    }
  }
}

TEST(FloatFormatsTest, KeepsInfinityAndNan) {
  for (const Format& format : kFormats) {
    SCOPED_TRACE(format.exponent_bits);
    const uint16_t infinity = InfinityOf(format);
    EXPECT_EQ(format.narrow(kInfinity), infinity);
    EXPECT_EQ(format.narrow(-kInfinity), infinity | 0x8000);
    EXPECT_EQ(format.narrow(std::numeric_limits<float>::max()), infinity);
    EXPECT_EQ(format.narrow(std::numeric_limits<float>::lowest()), infinity | 0x8000);
    EXPECT_EQ(format.narrow(std::numeric_limits<float>::denorm_min()), 0);
    // The payload of the smallest and of the largest has no place in 16 bits.
    for (const uint32_t nan : {0x7F800001U, 0x7FFFFFFFU, 0xFF800001U, 0x7FC00000U}) {
      const uint16_t narrowed = format.narrow(std::bit_cast<float>(nan));
      EXPECT_GT(narrowed & 0x7FFF, infinity) << std::hex << nan;
      EXPECT_EQ(narrowed & 0x8000, (nan >> 16) & 0x8000) << std::hex << nan;
    }
  }
}

TEST(FloatFormatsTest, ConvertsManyAsItConvertsOne) {
  std::vector<uint16_t> bits;
  for (uint32_t i = 0; i <= 0xFFFF; ++i) bits.push_back(static_cast<uint16_t>(i));
  std::vector<float> floats(bits.size());
  std::vector<uint16_t> back(bits.size());
  Bf16ToFloat(bits, floats);
  EXPECT_EQ(Bits(floats[0x3F81]), Bits(Bf16ToFloat(uint16_t{0x3F81})));
  FloatToBf16(floats, back);
  EXPECT_EQ(back, bits);
  F16ToFloat(bits, floats);
  EXPECT_EQ(Bits(floats[0x3F81]), Bits(F16ToFloat(uint16_t{0x3F81})));
  FloatToF16(floats, back);
  EXPECT_EQ(back, bits);
}

}  // namespace
}  // namespace ridgeline::checkpoints
