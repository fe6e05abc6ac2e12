#include "cost/count.h"

#include <gtest/gtest.h>

namespace ridgeline::cost {
namespace {

TEST(Count, AddsAndMultiplies) {
  EXPECT_EQ(Count(6) * 7 + 8, Count(50));
  EXPECT_EQ((Count(uint64_t{1} << 32) * (uint64_t{1} << 31)).value(), uint64_t{1} << 63);
}

TEST(Count, StaysTooMuchOnceItWas) {
  const Count large = uint64_t{1} << 63;
  EXPECT_TRUE(large.is_exact());
  const Count too_much = large + large;
  EXPECT_FALSE(too_much.is_exact());
  EXPECT_FALSE((large * 2).is_exact());
  EXPECT_FALSE((too_much + 0).is_exact());
  EXPECT_FALSE((too_much * 1).is_exact());
  EXPECT_FALSE((Count(3) + too_much).is_exact());
  EXPECT_FALSE(SumUpTo(too_much).is_exact());
  EXPECT_FALSE(SumUpTo(large).is_exact());
}

TEST(Count, OfNothingIsNothing) { EXPECT_EQ(Count(0) * (uint64_t{1} << 63), Count(0)); }

TEST(SumUpTo, EqualsTheLoop) {
  uint64_t sum = 0;
  for (uint64_t n = 0; n < 1000; ++n) {
    sum += n;
    EXPECT_EQ(SumUpTo(n), Count(sum)) << n;
  }
}

TEST(SumUpTo, DoesNotOverflowOnTheWay) {
  // n (n + 1) is 2^64 + 2^32, but half of it fits.
  const uint64_t n = uint64_t{1} << 32;
  EXPECT_EQ(SumUpTo(n).value(), (uint64_t{1} << 63) + (uint64_t{1} << 31));
}

TEST(Amount, KeepsBothCountsApart) {
  const Amount masked = {.executed = 10, .useful = 6};
  EXPECT_EQ(masked * 2 + Amount::Same(1), (Amount{.executed = 21, .useful = 13}));
}

}  // namespace
}  // namespace ridgeline::cost
