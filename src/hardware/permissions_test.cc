#include "hardware/permissions.h"

#include <gtest/gtest.h>

#include <string>

#include "hardware/testing/recorded_machine.h"

namespace ridgeline::hardware {
namespace {

TEST(PermissionsTest, ReadsAMachineWhereAllIsAllowed) {
  const Permissions permissions = ReadPermissions(Recorded("virtual_debian12"));
  EXPECT_EQ(permissions.perf_event_paranoid, 2);
  EXPECT_EQ(permissions.gpu_counters_admin_only, std::nullopt);
  EXPECT_EQ(permissions.ptrace_scope, std::nullopt);
  EXPECT_EQ(permissions.is_root, true);
  EXPECT_EQ(permissions.cap_sys_admin, true);
  EXPECT_EQ(permissions.cap_perfmon, true);
  EXPECT_EQ(MaySampleCpu(permissions), true);
  EXPECT_EQ(MayReadGpuCounters(permissions), std::nullopt);
}

TEST(PermissionsTest, ReadsAMachineWhereUsersMayNothing) {
  const Permissions permissions = ReadPermissions(Recorded("gpu_server"));
  EXPECT_EQ(permissions.perf_event_paranoid, 4);
  EXPECT_EQ(permissions.gpu_counters_admin_only, true);
  EXPECT_EQ(permissions.ptrace_scope, 1);
  EXPECT_EQ(permissions.is_root, false);
  EXPECT_EQ(permissions.cap_sys_admin, false);
  EXPECT_EQ(MaySampleCpu(permissions), false);
  EXPECT_EQ(MayReadGpuCounters(permissions), false);
}

TEST(PermissionsTest, JudgesByCapabilitiesRatherThanByTheUser) {
  struct Case {
    const char* what;
    Permissions permissions;
    std::optional<bool> may_sample;
    std::optional<bool> may_count;
  };
  const Case cases[] = {
      {"nothing known", {}, std::nullopt, std::nullopt},
      {"open to all",
       {.perf_event_paranoid = -1, .gpu_counters_admin_only = false},
       true,
       true},
      {"root of a container without capabilities",
       {.perf_event_paranoid = 3,
        .gpu_counters_admin_only = true,
        .is_root = true,
        .cap_sys_admin = false,
        .cap_perfmon = false},
       false,
       false},
      {"perfmon is for the CPU only",
       {.perf_event_paranoid = 4,
        .gpu_counters_admin_only = true,
        .cap_sys_admin = false,
        .cap_perfmon = true},
       true,
       false},
      {"root, capabilities not known",
       {.gpu_counters_admin_only = true, .is_root = true},
       std::nullopt,
       true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(MaySampleCpu(c.permissions), c.may_sample);
    EXPECT_EQ(MayReadGpuCounters(c.permissions), c.may_count);
  }
}

TEST(PermissionsTest, ReadsTheDriversParameter) {
  EXPECT_EQ(ParseCountersAdminOnly("EnableMSI: 1\nRmProfilingAdminOnly: 0\n"), false);
  EXPECT_EQ(ParseCountersAdminOnly("RmProfilingAdminOnly: 1\n"), true);
  EXPECT_EQ(ParseCountersAdminOnly("EnableMSI: 1\n"), std::nullopt);
}

}  // namespace
}  // namespace ridgeline::hardware
