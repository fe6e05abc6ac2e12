#include "cost/roofline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ridgeline::cost {
namespace {

// 1,000 FLOPs executed, 800 of them useful; 200 compulsory bytes.
Cost SomeCost() {
  Cost cost;
  cost.flops(CostClass::kGemm) = {.executed = 1000, .useful = 800};
  cost.flops(CostClass::kNorm) = Amount::Same(5000);  // Not part of any bound.
  cost.bytes = {.weights_read = 150,
                .activations_read = 1000,
                .activations_written = 1000,
                .kv_read = 40,
                .kv_written = 10};
  return cost;
}

TEST(Roofline, TheSlowerRoofBinds) {
  const RooflineTime fast_memory =
      RooflineTimeOf(SomeCost(), {.flops_per_s = 100, .bytes_per_s = 1000});
  EXPECT_DOUBLE_EQ(*fast_memory.compute_s, 8);
  EXPECT_DOUBLE_EQ(*fast_memory.memory_s, 0.2);
  EXPECT_DOUBLE_EQ(*fast_memory.lower_s, 8);
  EXPECT_EQ(fast_memory.bound, BoundClass::kCompute);
  EXPECT_DOUBLE_EQ(*fast_memory.intensity_flops_per_byte, 4);

  const RooflineTime slow_memory =
      RooflineTimeOf(SomeCost(), {.flops_per_s = 100, .bytes_per_s = 10});
  EXPECT_DOUBLE_EQ(*slow_memory.lower_s, 20);
  EXPECT_EQ(slow_memory.bound, BoundClass::kMemory);
}

TEST(Roofline, IntensityAndRidgePointAgreeWithTheClass) {
  for (const double bytes_per_s : {1.0, 24.0, 25.0, 26.0, 1000.0}) {
    const PeakRates ceilings = {.flops_per_s = 100, .bytes_per_s = bytes_per_s};
    const RooflineTime bounds = RooflineTimeOf(SomeCost(), ceilings);
    EXPECT_EQ(bounds.bound == BoundClass::kCompute,
              *bounds.intensity_flops_per_byte > *RidgePoint(ceilings))
        << bytes_per_s;
  }
}

TEST(Roofline, AnUnknownRoofGivesNoNumber) {
  const RooflineTime nothing = RooflineTimeOf(SomeCost(), {});
  EXPECT_FALSE(nothing.compute_s || nothing.memory_s || nothing.lower_s);
  EXPECT_EQ(nothing.bound, BoundClass::kUnknown);
  EXPECT_TRUE(nothing.intensity_flops_per_byte);
  EXPECT_FALSE(RidgePoint({.flops_per_s = 100, .bytes_per_s = {}}));

  const PeakRates half = {.flops_per_s = 100, .bytes_per_s = {}};
  const RooflineTime bounds = RooflineTimeOf(SomeCost(), half);
  EXPECT_TRUE(bounds.compute_s);
  EXPECT_FALSE(bounds.memory_s || bounds.lower_s);
  EXPECT_EQ(bounds.bound, BoundClass::kUnknown);
  const Utilization used = UtilizationOf(SomeCost(), half, 10);
  EXPECT_TRUE(used.mfu && used.mfu_useful);
  EXPECT_FALSE(used.mbu || used.roofline_slowdown);
}

TEST(Roofline, ACountThatDoesNotFitGivesNoNumber) {
  Cost cost = SomeCost();
  cost.flops(CostClass::kGemm) = Amount::Same(Count(uint64_t{1} << 63) * 4);
  const RooflineTime bounds =
      RooflineTimeOf(cost, {.flops_per_s = 100, .bytes_per_s = 10});
  EXPECT_FALSE(bounds.compute_s || bounds.lower_s || bounds.intensity_flops_per_byte);
  EXPECT_TRUE(bounds.memory_s);
}

TEST(Roofline, SaysHowWellADeviceWasUsed) {
  const PeakRates ceilings = {.flops_per_s = 100, .bytes_per_s = 10};
  const Utilization used = UtilizationOf(SomeCost(), ceilings, 40);
  EXPECT_DOUBLE_EQ(*used.mfu, 0.25);
  EXPECT_DOUBLE_EQ(*used.mfu_useful, 0.2);
  EXPECT_DOUBLE_EQ(*used.mbu, 0.5);
  EXPECT_DOUBLE_EQ(*used.roofline_slowdown, 2);
  EXPECT_FALSE(UtilizationOf(SomeCost(), ceilings, 0).mfu);
}

TEST(Roofline, PartsInSequenceAddTheirTimes) {
  const PeakRates ceilings = {.flops_per_s = 100, .bytes_per_s = 1000};
  Cost light = SomeCost();
  light.flops(CostClass::kGemm) = Amount::Same(1);
  const RooflineTime parts[] = {RooflineTimeOf(light, ceilings),
                                RooflineTimeOf(SomeCost(), ceilings),
                                RooflineTimeOf(light, ceilings)};
  const RooflineTime sum = InSequence(parts);
  EXPECT_DOUBLE_EQ(*sum.lower_s, 8.4);
  EXPECT_DOUBLE_EQ(*sum.memory_s, 0.6);
  EXPECT_EQ(sum.bound, BoundClass::kCompute);

  const RooflineTime one_unknown[] = {RooflineTimeOf(light, ceilings),
                                      RooflineTimeOf(light, {})};
  EXPECT_FALSE(InSequence(one_unknown).lower_s);
  EXPECT_EQ(InSequence(one_unknown).bound, BoundClass::kUnknown);
}

TEST(Roofline, TheBoundOfASequenceIsTheLargerOfItsTwoTimes) {
  const auto part = [](double compute_s, double memory_s) {
    return RooflineTime{
        .compute_s = compute_s,
        .memory_s = memory_s,
        .lower_s = std::max(compute_s, memory_s),
        .bound = compute_s > memory_s ? BoundClass::kCompute : BoundClass::kMemory,
        .intensity_flops_per_byte = {}};
  };
  // The longest part is memory-bound, the sum is not.
  const RooflineTime sum =
      InSequence(std::vector{part(4, 0.5), part(2.5, 0.1), part(0.6, 4.5)});
  EXPECT_DOUBLE_EQ(*sum.compute_s, 7.1);
  EXPECT_DOUBLE_EQ(*sum.memory_s, 5.1);
  EXPECT_DOUBLE_EQ(*sum.lower_s, 11);
  EXPECT_EQ(sum.bound, BoundClass::kCompute);
}

}  // namespace
}  // namespace ridgeline::cost
