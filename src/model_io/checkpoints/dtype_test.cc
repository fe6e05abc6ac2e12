#include "model_io/checkpoints/dtype.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace ridgeline::checkpoints {
namespace {

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

TEST(DTypeTest, HasAWordAndASize) {
  struct Case {
    DType dtype;
    std::string_view word;
    int64_t size_bytes;
  };
  const Case cases[] = {
      {DType::kF64, "F64", 8},   {DType::kF32, "F32", 4}, {DType::kF16, "F16", 2},
      {DType::kBf16, "BF16", 2}, {DType::kI64, "I64", 8}, {DType::kI32, "I32", 4},
      {DType::kI16, "I16", 2},   {DType::kI8, "I8", 1},   {DType::kU8, "U8", 1},
      {DType::kBool, "BOOL", 1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.word);
    EXPECT_EQ(ToText(c.dtype), c.word);
    EXPECT_EQ(ParseDType(c.word), c.dtype);
    EXPECT_EQ(SizeBytes(c.dtype), c.size_bytes);
  }
}

TEST(DTypeTest, DoesNotKnowOtherWords) {
  for (const std::string_view word : {"", "f32", "F32 ", "F8_E4M3", "U64"}) {
    EXPECT_EQ(ParseDType(word), std::nullopt) << word;
  }
}

TEST(DTypeTest, MultipliesShapesWithoutOverflow) {
  struct Case {
    const char* what;
    std::vector<int64_t> shape;
    std::optional<int64_t> elements;
    std::optional<int64_t> f32_bytes;
  };
  const Case cases[] = {
      {"a number", {}, 1, 4},
      {"a matrix", {2, 3}, 6, 24},
      {"nothing", {2, 0, 3}, 0, 0},
      {"as many as there can be", {kLargest}, kLargest, std::nullopt},
      {"too many", {kLargest, 2}, std::nullopt, std::nullopt},
      {"too many, wrapping to zero", {int64_t{1} << 32, int64_t{1} << 32}, {}, {}},
      {"too many on the way to none", {kLargest, 2, 0}, std::nullopt, std::nullopt},
      {"negative", {-1}, std::nullopt, std::nullopt},
      {"negative twice", {-1, -1}, std::nullopt, std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(NumElements(c.shape), c.elements);
    EXPECT_EQ(SizeBytes(DType::kF32, c.shape), c.f32_bytes);
  }
}

TEST(DTypeTest, WritesShapesAsTheFileDoes) {
  EXPECT_EQ(ToText(std::vector<int64_t>{}), "[]");
  EXPECT_EQ(ToText(std::vector<int64_t>{7}), "[7]");
  EXPECT_EQ(ToText(std::vector<int64_t>{2, 3}), "[2, 3]");
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr uint16_t kBf16Infinity = 0x7F80;

// The value of a BF16, which is the upper half of a float.
float Widened(uint32_t bits) { return std::bit_cast<float>(bits << 16); }

TEST(FloatToBf16Test, NarrowsEveryWidenedValueToItself) {
  for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    ASSERT_EQ(FloatToBf16(Widened(bits)), bits);
  }
}

// Between two adjacent values: the midpoint goes to the even one, floats next to the
// midpoint to the nearer one. Above the largest value, the next one is infinity.
TEST(FloatToBf16Test, RoundsToTheNearestAndTiesToEven) {
  for (uint16_t lower = 0; lower < kBf16Infinity; ++lower) {
    const auto upper = static_cast<uint16_t>(lower + 1);
    const uint16_t even = (lower & 1) == 0 ? lower : upper;
    const auto middle = std::bit_cast<float>((uint32_t{lower} << 16) | 0x8000);
    ASSERT_EQ(FloatToBf16(middle), even) << lower;
    ASSERT_EQ(FloatToBf16(-middle), even | 0x8000) << lower;
    ASSERT_EQ(FloatToBf16(std::nextafter(middle, 0.0F)), lower);
    ASSERT_EQ(FloatToBf16(std::nextafter(middle, kInfinity)), upper);
  }
}

TEST(FloatToBf16Test, KeepsInfinityAndNan) {
  EXPECT_EQ(FloatToBf16(kInfinity), kBf16Infinity);
  EXPECT_EQ(FloatToBf16(-kInfinity), kBf16Infinity | 0x8000);
  EXPECT_EQ(FloatToBf16(std::numeric_limits<float>::max()), kBf16Infinity);
  EXPECT_EQ(FloatToBf16(std::numeric_limits<float>::lowest()), kBf16Infinity | 0x8000);
  EXPECT_EQ(FloatToBf16(std::numeric_limits<float>::denorm_min()), 0);
  // The payloads of the smallest and the largest do not fit into 16 bits.
  for (const uint32_t nan : {0x7F800001U, 0x7FFFFFFFU, 0xFF800001U, 0x7FC00000U}) {
    const uint16_t narrowed = FloatToBf16(std::bit_cast<float>(nan));
    EXPECT_GT(narrowed & 0x7FFF, kBf16Infinity) << std::hex << nan;
    EXPECT_EQ(narrowed & 0x8000, (nan >> 16) & 0x8000) << std::hex << nan;
  }
}

}  // namespace
}  // namespace ridgeline::checkpoints
