#include <gtest/gtest.h>

#include "hardware/machine.h"
#include "hardware/testing/recorded_machine.h"

namespace ridgeline::hardware {
namespace {

TEST(LimitsTest, TakesTheTightestGroupAroundUs) {
  const Limits limits = ReadLimits(Recorded("gpu_server"));
  EXPECT_EQ(limits.open_files, ProcessLimit{1024});
  EXPECT_EQ(limits.locked_memory_bytes, ProcessLimit{});
  EXPECT_EQ(limits.cgroup_memory_bytes, int64_t{64} << 30);
  EXPECT_EQ(limits.cgroup_cpus, 2.5);
}

TEST(LimitsTest, SeesThatGroupsOfVersionOneSetNone) {
  const Limits limits = ReadLimits(Recorded("virtual_debian12"));
  EXPECT_EQ(limits.open_files, ProcessLimit{20000});
  EXPECT_EQ(limits.locked_memory_bytes, ProcessLimit{8388608});
  EXPECT_EQ(limits.cgroup_memory_bytes, std::nullopt);
  EXPECT_EQ(limits.cgroup_cpus, std::nullopt);
}

TEST(LimitsTest, KnowsNothingOfAMachineThatTellsNothing) {
  const Limits limits = ReadLimits(Recorded("no_such_machine"));
  EXPECT_EQ(limits.open_files, std::nullopt);
  EXPECT_EQ(limits.cgroup_cpus, std::nullopt);
}

TEST(LimitsTest, RefusesLinesThatItDoesNotUnderstand) {
  EXPECT_EQ(ParseProcessLimit("Max open files\n", "Max open files"), std::nullopt);
  EXPECT_EQ(ParseProcessLimit("Max open files  many  1\n", "Max open files"),
            std::nullopt);
}

}  // namespace
}  // namespace ridgeline::hardware
