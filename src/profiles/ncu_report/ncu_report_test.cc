#include "profiles/ncu_report/ncu_report.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "profiles/ncu_report/report_parts.h"
#include "profiles/testing/ncu_report_bytes.h"

namespace ridgeline::profiles {
namespace {

using namespace ncu_report_bytes;  // NOLINT(google-build-using-namespace)
using results::NcuRows;
using results::NcuShape;

Result<NcuRows> ReadReport(const std::string& file) {
  MemorySource source(file);
  return ReadNcuReport(source);
}

TEST(NcuReportTest, ReadsLaunchesWithAllDigitsOfTheirMetrics) {
  const Result<NcuRows> read = ReadReport(Report(7, Kernel(), 2));
  ASSERT_TRUE(read.ok()) << read.error().message();
  const NcuRows& rows = read.value();
  ASSERT_EQ(rows.launches.size(), 1U);
  const results::NcuLaunch& launch = rows.launches[0];
  EXPECT_EQ(launch.id, 0);
  EXPECT_EQ(launch.process_id, 12541);
  EXPECT_EQ(rows.names.text(launch.process), "main");
  EXPECT_EQ(rows.names.text(launch.kernel), "k(int)");
  EXPECT_EQ(rows.names.text(launch.capability), "7.5");
  EXPECT_EQ(launch.grid, (NcuShape{256, 2, 1}));
  EXPECT_EQ(launch.block, (NcuShape{64, 1, 1}));
  ASSERT_EQ(launch.metrics.size(), 5U);
  EXPECT_EQ(launch.metrics[0].value, 1168077824.0);
  EXPECT_EQ(rows.names.text(launch.metrics[0].unit), "ns");
  EXPECT_EQ(rows.names.text(launch.metrics[1].text), "NVIDIA A10G");
  EXPECT_EQ(launch.metrics[4].value, std::nullopt);
  ASSERT_EQ(launch.rules.size(), 1U);
  EXPECT_EQ(rows.names.text(launch.rules[0].name), "SOLBottleneck");
  EXPECT_EQ(rows.names.text(launch.rules[0].kind), "WRN");
  EXPECT_EQ(rows.names.text(launch.rules[0].text), "slow");
}

TEST(NcuReportTest, TrapReportsHoldTheEnvironmentWhichIsNotRead) {
  const std::string file = Report(7, Kernel(), 2);
  ASSERT_NE(file.find("API_KEY"), std::string::npos);
  const Result<NcuRows> read = ReadReport(file);
  ASSERT_TRUE(read.ok()) << read.error().message();
  for (StringId id = 0; id < read.value().names.size(); ++id) {
    EXPECT_EQ(read.value().names.text(id).find("API_KEY"), std::string_view::npos);
  }
}

TEST(NcuReportTest, ReadsRangesAsLaunchesWithoutAKernel) {
  const Result<NcuRows> read = ReadReport(Report(7, Range(), 7));
  ASSERT_TRUE(read.ok()) << read.error().message();
  ASSERT_EQ(read.value().launches.size(), 1U);
  const results::NcuLaunch& launch = read.value().launches[0];
  EXPECT_EQ(read.value().names.text(launch.kernel), "range");
  ASSERT_EQ(launch.metrics.size(), 1U);
  EXPECT_EQ(launch.metrics[0].value, 5000.0);
}

TEST(NcuReportTest, TrapAReportThatIsTooNewIsAnErrorThatTellsTheWayOut) {
  const Result<NcuRows> read = ReadReport(Report(8, Kernel(), 2));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(read.error().message(),
            "report format 8, newer than 7; export it with the ncu that wrote it: ncu "
            "--import FILE --page raw --csv --print-units base, with LC_ALL=C");
}

TEST(NcuReportTest, SaysAtWhichByteADamagedReportStopsMakingSense) {
  const std::string whole = Report(7, Kernel(), 2);
  for (const size_t size : {size_t{6}, size_t{9}, size_t{20}, whole.size() - 1}) {
    SCOPED_TRACE(size);
    const Result<NcuRows> read = ReadReport(whole.substr(0, size));
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message().substr(0, 29), "damaged or truncated at byte ");
  }
  EXPECT_FALSE(ReadReport("").ok());
  EXPECT_FALSE(ReadReport("NVR").ok());
}

TEST(NcuReportTest, KnowsUnitsByTheNamesOfMetrics) {
  struct Case {
    const char* metric;
    const char* unit;
  };
  const Case cases[] = {
      {"gpu__time_duration.sum", "ns"},
      {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "%"},
      {"sm__maximum_warps_per_active_cycle_pct", "%"},
      {"lts__t_sector_hit_rate.pct", "%"},
      {"dram__bytes_read.sum", "byte"},
      {"dram__bytes.sum.per_second", "byte/s"},
      {"dram__bytes.sum.peak_sustained", "byte/cycle"},
      {"dram__cycles_elapsed.avg.per_second", "hz"},
      {"smsp__cycles_elapsed.avg.per_second", "hz"},
      {"lts__t_sectors.sum", "sector"},
      {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed",
       "inst/cycle"},
      {"sm__warps_active.avg.per_cycle_active", "warp"},
      {"launch__registers_per_thread", "register/thread"},
      {"launch__waves_per_multiprocessor", ""},
      {"device__attribute_max_warps_per_multiprocessor", ""},
      {"something_new", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.metric);
    EXPECT_EQ(BaseUnitOf(c.metric), c.unit);
  }
}

}  // namespace
}  // namespace ridgeline::profiles
