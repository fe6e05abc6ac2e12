#include "launchers/slurm_client.h"

#include <gmock/gmock.h>

namespace ridgeline::launchers {
namespace {

TEST(SlurmClientTest, ReadsPartitions) {
  EXPECT_EQ(ParsePartitions("cpu*|up|infinite|2\ngpu|down|1-00:00:00|16\n\n"),
            (std::vector<SlurmPartition>{{"cpu", true, "up", "infinite", 2},
                                         {"gpu", false, "down", "1-00:00:00", 16}}));
}

TEST(SlurmClientTest, ReadsLimits) {
  const SlurmLimits limits = ParseLimits(
      "Configuration data as of 2026-11-18T03:44:34\n"
      "AccountingStorageType   = accounting_storage/slurmdbd\n"
      "MaxArraySize            = 20001\n"
      "SLURM_VERSION           = 22.05.8\n");
  EXPECT_EQ(limits, (SlurmLimits{20001, true, "22.05.8"}));
  EXPECT_EQ(ParseLimits("AccountingStorageType   = accounting_storage/none\n"),
            (SlurmLimits{1001, false, ""}));
  EXPECT_EQ(ParseLimits("AccountingStorageType   = (null)\n").has_accounting, false);
}

}  // namespace
}  // namespace ridgeline::launchers
