#include "analysis/gpu_totals.h"

#include <gtest/gtest.h>

#include <string>

#include "analysis/testing/gpu_rows.h"

namespace ridgeline::analysis {
namespace {

using results::GpuActivityKind;

std::string Text(const std::vector<results::GpuTotal>& totals,
                 const results::TraceRows& rows) {
  std::string text;
  for (const results::GpuTotal& total : totals) {
    text += std::to_string(total.device) + " " +
            std::string(rows.names.text(total.name)) + " x" +
            std::to_string(total.count) + " " + std::to_string(total.time_total_ns) +
            " (" + std::to_string(total.time_min_ns) + " to " +
            std::to_string(total.time_max_ns) + "); ";
  }
  return text;
}

TEST(GpuTotalsTest, SumsUpByDeviceAndName) {
  const results::TraceRows rows = GpuRows({{"b", 0, 5},
                                           {"a", 5, 10},
                                           {"c", 10, 30},
                                           {"a", 0, 1, 2},
                                           {"b", 7, 9, 1},
                                           {"copy", 0, 8, 0, GpuActivityKind::kMemcpy},
                                           {"fill", 0, 9, 0, GpuActivityKind::kMemset}});
  const GpuTotals totals = GpuTotalsOf(rows);
  EXPECT_EQ(Text(totals.kernels, rows),
            "0 c x1 20 (20 to 20); 0 b x2 7 (2 to 5); 0 a x1 5 (5 to 5); 1 a x1 1 (1 to "
            "1); ");
  EXPECT_EQ(Text(totals.memory_ops, rows),
            "0 fill x1 9 (9 to 9); 0 copy x1 8 (8 to 8); ");
  EXPECT_EQ(Text(OverDevices(totals.kernels, rows.names), rows),
            "0 c x1 20 (20 to 20); 0 b x2 7 (2 to 5); 0 a x2 6 (1 to 5); ");
}

TEST(GpuTotalsTest, SumsTheBytesOfCopiesThatHaveThem) {
  results::TraceRows rows = GpuRows({{"HtoD", 0, 8, 0, GpuActivityKind::kMemcpy},
                                     {"HtoD", 8, 9, 1, GpuActivityKind::kMemcpy},
                                     {"memset", 9, 10, 0, GpuActivityKind::kMemset}});
  const StringId name = rows.names.Intern("HtoD");
  rows.memory_bytes = {{{0, name}, 100}, {{1, name}, 20}};
  const std::vector<results::GpuTotal> totals = GpuTotalsOf(rows).memory_ops;
  ASSERT_EQ(totals.size(), 2U);
  EXPECT_EQ(totals[0].bytes, 120);
  EXPECT_EQ(totals[1].bytes, std::nullopt);
}

}  // namespace
}  // namespace ridgeline::analysis
