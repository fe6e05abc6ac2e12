#include "model_io/checkpoints/random_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "base/random.h"

namespace ridgeline::checkpoints {
namespace {

std::vector<std::byte> Filled(const RandomFill& fill, size_t size_bytes) {
  std::vector<std::byte> bytes(size_bytes);
  EXPECT_TRUE(FillRandom(fill, 0, bytes).ok());
  return bytes;
}

template <typename T>
T At(const std::vector<std::byte>& bytes, size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

// Output of the generator's reference implementation for the seed 1234567.
TEST(SplitMix64Test, GivesTheNumbersOfTheReference) {
  const uint64_t want[] = {6457827717110365317U, 3203168211198807973U,
                           9817491932198370423U, 4593380528125082431U,
                           16408922859458223821U};
  for (size_t i = 0; i < std::size(want); ++i) {
    EXPECT_EQ(SplitMix64At(1234567, i), want[i]);
  }
}

TEST(RandomWeightsTest, GivesTheSameBitsOnEveryMachine) {
  const uint64_t key = RandomKey(0, "model.embed_tokens.weight");
  EXPECT_EQ(key, 2500252938325834630U);
  const uint32_t want[] = {0x3BA4F175, 0x3C8DC160, 0xBB6D9A4D, 0xBC70B636};
  for (size_t i = 0; i < std::size(want); ++i) {
    EXPECT_EQ(std::bit_cast<uint32_t>(RandomWeight(key, 0.02F, i)), want[i]) << i;
  }
}

TEST(RandomWeightsTest, HasAKeyForEachSeedAndName) {
  std::set<uint64_t> keys;
  const std::string_view names[] = {"", "a", "b", "ab", "ba", "a.weight", "a.bias"};
  for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, uint64_t{2}, ~uint64_t{0}}) {
    for (const std::string_view name : names) keys.insert(RandomKey(seed, name));
  }
  EXPECT_EQ(keys.size(), 4 * std::size(names));
}

TEST(RandomWeightsTest, IsTheSameInPiecesOfAnySize) {
  for (const DType dtype : {DType::kF32, DType::kBf16}) {
    const RandomFill fill = {.key = 7, .standard_deviation = 0.5F, .dtype = dtype};
    const std::vector<std::byte> whole = Filled(fill, 8000);
    for (const size_t piece : {4U, 12U, 1000U, 4096U, 8000U}) {
      SCOPED_TRACE(testing::Message() << ToText(dtype) << " in pieces of " << piece);
      std::vector<std::byte> pieces(whole.size());
      for (size_t offset = 0; offset < whole.size(); offset += piece) {
        const size_t count = std::min(piece, whole.size() - offset);
        ASSERT_TRUE(FillRandom(fill, static_cast<int64_t>(offset),
                               std::span(pieces).subspan(offset, count))
                        .ok());
      }
      EXPECT_EQ(pieces, whole);
    }
  }
}

TEST(RandomWeightsTest, RoundsTheSameNumbersForBf16) {
  const RandomFill wide = {.key = 7, .standard_deviation = 0.02F};
  RandomFill narrow = wide;
  narrow.dtype = DType::kBf16;
  const std::vector<std::byte> floats = Filled(wide, 4 * 3000);
  const std::vector<std::byte> halves = Filled(narrow, 2 * 3000);
  for (size_t i = 0; i < 3000; ++i) {
    ASSERT_EQ(At<float>(floats, i), RandomWeight(7, 0.02F, i));
    ASSERT_EQ(At<uint16_t>(halves, i), FloatToBf16(At<float>(floats, i)));
  }
}

TEST(RandomWeightsTest, IsNearlyNormal) {
  constexpr size_t kCount = 1'000'000;
  double sum = 0;
  double squares = 0;
  double lag_products = 0;
  double previous = 0;
  double within_one = 0;
  double largest = 0;
  for (size_t i = 0; i < kCount; ++i) {
    const double value = RandomWeight(42, 1, i);
    sum += value;
    squares += value * value;
    lag_products += value * previous;
    previous = value;
    if (std::abs(value) < 1) within_one += 1;
    largest = std::max(largest, std::abs(value));
  }
  // Four standard errors each; the expected share is that of a sum of four uniform
  // numbers (0.673), not that of a normal distribution (0.683).
  EXPECT_NEAR(sum / kCount, 0, 0.004);
  EXPECT_NEAR(squares / kCount, 1, 0.006);
  EXPECT_NEAR(lag_products / kCount, 0, 0.004);
  EXPECT_NEAR(within_one / kCount, 0.673, 0.004);
  EXPECT_GT(largest, 3.2);
  EXPECT_LT(largest, 3.47);
}

TEST(RandomWeightsTest, FillsWithOneValue) {
  std::vector<std::byte> bytes(4 * 700);
  ASSERT_TRUE(FillConstant(1, DType::kF32, bytes).ok());
  for (size_t i = 0; i < 700; ++i) ASSERT_EQ(At<float>(bytes, i), 1.0F);
  ASSERT_TRUE(FillConstant(1, DType::kBf16, bytes).ok());
  for (size_t i = 0; i < 1400; ++i) ASSERT_EQ(At<uint16_t>(bytes, i), 0x3F80);
}

TEST(RandomWeightsTest, RefusesOtherTypes) {
  std::vector<std::byte> bytes(16);
  const Status filled = FillRandom({.dtype = DType::kF16}, 0, bytes);
  ASSERT_FALSE(filled.ok());
  EXPECT_EQ(filled.error().message(),
            "unsupported dtype F16 for random weights; expected F32 or BF16");
  EXPECT_FALSE(FillConstant(1, DType::kI8, bytes).ok());
}

}  // namespace
}  // namespace ridgeline::checkpoints
