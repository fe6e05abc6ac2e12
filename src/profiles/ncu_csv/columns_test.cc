#include "profiles/ncu_csv/columns.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace ridgeline::profiles {
namespace {

using results::NcuForm;

// Names between bars.
std::vector<std::string> Fields(const std::string& text) {
  std::vector<std::string> fields;
  std::istringstream in(text);
  for (std::string field; std::getline(in, field, '|');) fields.push_back(field);
  return fields;
}

const std::string kBegin = "ID|Process ID|Process Name|Host Name|";
const std::string kNvtx =
    "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg|"
    "Id:Domain:Start/Stop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg|";
const std::string kOld = "Kernel Name|Kernel Time|Context|Stream|";
const std::string kNew = "Kernel Name|Context|Stream|Block Size|Grid Size|Device|CC|";
const std::string kMetric = "Metric Name|Metric Unit|Metric Value";
const std::string kRule = "|Rule Name|Rule Type|Rule Description";
const std::string kSpeedup = "|Estimated Speedup Type|Estimated Speedup";

TEST(NcuColumnsTest, TrapHeadersHaveTwelveShapes) {
  struct Case {
    const char* what;
    std::string header;
    NcuForm form;
    size_t kernel;
    size_t wide_metrics;
  };
  const Case cases[] = {
      {"wide, old", kBegin + kOld + "a__x.sum|inst_executed", NcuForm::kWide, 4, 2},
      {"wide, new", kBegin + kNew + "a__x.sum", NcuForm::kWide, 4, 1},
      {"wide, no metrics", kBegin + kNew, NcuForm::kWide, 4, 0},
      {"wide with NVTX", kBegin + kNvtx + kNew + "a__x.sum", NcuForm::kWide, 6, 1},
      {"long, old", kBegin + kOld + "Section Name|" + kMetric + kRule, NcuForm::kLong, 4,
       0},
      {"long, 2022 with devices", kBegin + kNew + "Section Name|" + kMetric + kRule,
       NcuForm::kLong, 4, 0},
      {"long, new", kBegin + kNew + "Section Name|" + kMetric + kRule + kSpeedup,
       NcuForm::kLong, 4, 0},
      {"long with items",
       kBegin + kNew + "Section Name|Body Item Label|" + kMetric + kRule + kSpeedup,
       NcuForm::kLong, 4, 0},
      {"long with items, old",
       kBegin + kOld + "Section Name|Body Item Label|" + kMetric + kRule, NcuForm::kLong,
       4, 0},
      {"long with NVTX",
       kBegin + kNvtx + kNew + "Section Name|" + kMetric + kRule + kSpeedup,
       NcuForm::kLong, 6, 0},
      {"metrics only", kBegin + kNew + "Section Name|" + kMetric, NcuForm::kLong, 4, 0},
      {"summary",
       "Process ID|Process Name|Host Name|Kernel Name|Block Size|Grid "
       "Size|Device|CC|Invocations|Section Name|Metric Name|Metric "
       "Unit|Minimum|Maximum|Average",
       NcuForm::kSummary, 3, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const std::optional<NcuColumns> columns = ColumnsOf(Fields(c.header));
    ASSERT_TRUE(columns);
    EXPECT_EQ(columns->form, c.form);
    EXPECT_EQ(columns->kernel, c.kernel);
    EXPECT_EQ(columns->wide_metrics.size(), c.wide_metrics);
    EXPECT_EQ(columns->value.has_value(), c.form != NcuForm::kWide);
  }
}

TEST(NcuColumnsTest, OtherRowsAreNoHeaders) {
  for (const char* const text :
       {"", "0|7|app|127.0.0.1|k(int)|1|7",
        "ID|Process ID|Process Name|Host Name|Context",
        "Process ID|Process Name|Host Name|Kernel Name|Block Size",
        "Source|Destination|Links|Read|Write"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(ColumnsOf(Fields(text)));
  }
}

}  // namespace
}  // namespace ridgeline::profiles
