#include "profiles/ncu_csv/ncu_csv.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

namespace ridgeline::profiles {
namespace {

using results::DropReason;
using results::NcuForm;
using results::NcuLaunch;
using results::NcuMetric;
using results::NcuRows;
using results::NcuShape;

constexpr const char* kLongHeader2022 =
    R"csv("ID","Process ID","Process Name","Host Name","Kernel Name","Kernel Time","Context","Stream","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description")csv"
    "\n";
constexpr const char* kLongHeader2025 =
    R"csv("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description","Estimated Speedup Type","Estimated Speedup")csv"
    "\n";

std::string Row2025(const std::string& id, const std::string& kernel,
                    const std::string& rest) {
  return "\"" + id + "\",\"7\",\"app\",\"127.0.0.1\",\"" + kernel +
         R"csv(","1","7","(128, 1, 1)","(152, 4, 1)","0","12.0",)csv" + rest + "\n";
}

Result<NcuRows> ReadCsv(const std::string& text) {
  MemorySource source(text);
  return ReadNcuCsv(source);
}

NcuRows MustRead(const std::string& text) {
  Result<NcuRows> rows = ReadCsv(text);
  EXPECT_TRUE(rows.ok()) << rows.error().message();
  return rows.ok() ? std::move(rows).value() : NcuRows();
}

const NcuMetric* Find(const NcuRows& rows, const NcuLaunch& launch,
                      std::string_view name) {
  for (const NcuMetric& metric : launch.metrics) {
    if (rows.names.text(metric.name) == name) return &metric;
  }
  return nullptr;
}

std::optional<double> ValueOf(const NcuRows& rows, size_t launch, std::string_view name) {
  if (launch >= rows.launches.size()) return {};
  const NcuMetric* const metric = Find(rows, rows.launches[launch], name);
  return metric != nullptr ? metric->value : std::nullopt;
}

constexpr const char* kWide =
    R"csv("ID","Process ID","Process Name","Host Name","Kernel Name","Kernel Time","Context","Stream","gpu__time_duration.sum","dram__bytes_read.sum","launch__grid_dim_x","launch__grid_dim_y","launch__grid_dim_z","launch__func_cache_config","device__attribute_display_name")csv"
    "\n"
    R"csv("","","","","","","","","second","Mbyte","","","","","")csv"
    "\n"
    R"csv("0","7","app","127.0.0.1","a(int)","2024-May-01 22:32:13","1","7","1.168078","3.350000","256","2","1","CachePreferNone","NVIDIA A10G")csv"
    "\n"
    R"csv("1","7","app","127.0.0.1","b<1, 2>(int)","2024-May-01 22:32:14","1","7","0.000006","no data","1","1","1","CachePreferNone","NVIDIA A10G")csv"
    "\n";

TEST(NcuCsvTest, TrapWidePagesScaleAWholeColumnToTheUnitOfTheirSecondRow) {
  const NcuRows rows = MustRead(kWide);
  EXPECT_EQ(rows.form, NcuForm::kWide);
  ASSERT_EQ(rows.launches.size(), 2U);
  EXPECT_EQ(rows.names.text(rows.launches[1].kernel), "b<1, 2>(int)");
  EXPECT_EQ(ValueOf(rows, 0, "gpu__time_duration.sum"), 1168078000.0);
  EXPECT_EQ(ValueOf(rows, 1, "gpu__time_duration.sum"), 6000.0);
  EXPECT_EQ(ValueOf(rows, 0, "dram__bytes_read.sum"), 3350000.0);
  EXPECT_EQ(ValueOf(rows, 1, "dram__bytes_read.sum"), std::nullopt);
  EXPECT_EQ(rows.launches[0].grid, (NcuShape{256, 2, 1}));
  EXPECT_EQ(rows.launches[0].block, std::nullopt);
  const NcuMetric* const name =
      Find(rows, rows.launches[0], "device__attribute_display_name");
  ASSERT_NE(name, nullptr);
  EXPECT_EQ(rows.names.text(name->text), "NVIDIA A10G");
  EXPECT_EQ(rows.left_out.Get(DropReason::kMetricWithoutValue), 1);
}

TEST(NcuCsvTest, RefusesASecondTableOfTheSameLaunches) {
  const std::string wide = kWide;
  const std::string details =
      std::string(kLongHeader2025) +
      Row2025("0", "k", R"csv("S","Duration","ns","10","","","","","")csv");
  for (const std::string& page : {wide, details}) {
    ASSERT_TRUE(ReadCsv(page).ok());
    const Result<NcuRows> twice = ReadCsv(page + page);
    ASSERT_FALSE(twice.ok());
    EXPECT_NE(twice.error().message().find("a second table with the same launches"),
              std::string::npos);
  }
}

TEST(NcuCsvTest, RefusesATableWithFewerLaunchesThanWereProfiled) {
  const std::string line = "==PROF== Profiling \"a\" - 0: 0%....50%....100% - 9 passes\n";
  EXPECT_EQ(MustRead(line + line + kWide).launches.size(), 2U);
  const Result<NcuRows> cut = ReadCsv(line + line + line + kWide);
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().message(),
            "cut off: ncu profiled 3 launches, the table has 2; export it again");
}

TEST(NcuCsvTest, RefusesAWidePageWithoutUnits) {
  std::string text = kWide;
  const size_t units = text.find('\n') + 1;
  text.erase(units, text.find('\n', units) + 1 - units);
  const Result<NcuRows> rows = ReadCsv(text);
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().code(), ErrorCode::kParse);
  EXPECT_EQ(rows.error().message(),
            "line 2: expected the row of units below the header; without it, the unit of "
            "durations is unknown");
}

TEST(NcuCsvTest, TrapUnitsOfLongPagesChangeFromRowToRow) {
  const NcuRows rows = MustRead(
      std::string(kLongHeader2025) +
      Row2025("0", "a",
              R"csv("GPU Speed Of Light Throughput","Duration","second","1.17",)csv") +
      Row2025("1", "a",
              R"csv("GPU Speed Of Light Throughput","Duration","us","6.75",)csv") +
      Row2025("1", "a", R"csv("Metrics","dram__bytes_read.sum","Mbyte","2.33",)csv") +
      Row2025("1", "a", R"csv("Metrics","dram__bytes_write.sum","byte","0",)csv"));
  ASSERT_EQ(rows.launches.size(), 2U);
  EXPECT_EQ(ValueOf(rows, 0, "Duration"), 1170000000.0);
  EXPECT_EQ(ValueOf(rows, 1, "Duration"), 6750.0);
  EXPECT_EQ(ValueOf(rows, 1, "dram__bytes_read.sum"), 2330000.0);
  EXPECT_EQ(ValueOf(rows, 1, "dram__bytes_write.sum"), 0.0);
  EXPECT_EQ(rows.launches[0].grid, (NcuShape{152, 4, 1}));
  EXPECT_EQ(rows.launches[0].block, (NcuShape{128, 1, 1}));
  EXPECT_EQ(rows.names.text(rows.launches[0].capability), "12.0");
}

TEST(NcuCsvTest, TrapRowsAreRaggedAndRulesHaveEmptyMetricColumns) {
  const NcuRows rows = MustRead(
      std::string(kLongHeader2025) +
      Row2025("0", "a", R"csv("S","Duration","us","6.75",)csv") +
      Row2025("0", "a",
              R"csv("Occupancy","","","","TheoreticalOccupancy","OPT","Two )csv"
              "\n"
              R"csv(lines, ""quoted"".","global","6.015")csv") +
      Row2025("0", "a",
              R"csv("SpeedOfLight","","","","SOLBottleneck","WRN","x","","")csv"));
  ASSERT_EQ(rows.launches.size(), 1U);
  EXPECT_EQ(rows.launches[0].metrics.size(), 1U);
  ASSERT_EQ(rows.launches[0].rules.size(), 2U);
  const results::NcuRule& rule = rows.launches[0].rules[0];
  EXPECT_EQ(rows.names.text(rule.text), "Two \nlines, \"quoted\".");
  EXPECT_EQ(rule.speedup_percent, 6.015);
  EXPECT_EQ(rows.names.text(*rule.speedup_kind), "global");
  EXPECT_EQ(rows.launches[0].rules[1].speedup_percent, std::nullopt);
}

TEST(NcuCsvTest, TrapForeignTablesTextAndBlankLinesStandBetweenRows) {
  const NcuRows rows =
      MustRead(std::string(kLongHeader2025) +
               Row2025("0", "a", R"csv("S","Duration","us","6.75",)csv") +
               "\n"
               "The system does not have any NVLink connections.\n"
               "\"Source\",\"Destination\",\"Links\",\"ReadCsv\",\"Write\"\n"
               "\"0\",\"1\",\"4\",\"12.5\",\"12.5\"\n"
               "==PROF== Profiling \"a, b\": 0%....100% - 8 passes\n" +
               Row2025("1", "a", R"csv("S","Duration","us","7.75",)csv"));
  EXPECT_EQ(rows.launches.size(), 2U);
  EXPECT_EQ(rows.left_out.Get(DropReason::kLineOfOtherReport), 4);
}

TEST(NcuCsvTest, TrapRangesOfNvtxAddColumnsBeforeTheKernel) {
  const NcuRows rows = MustRead(
      R"csv("ID","Process ID","Process Name","Host Name","thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg","Id:Domain:Start/Stop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value")csv"
      "\n"
      R"csv("0","7","app","h","7  ""<default domain>:decode:none:none:none:none:none:none"" ","","k(int)","1","7","(1, 1, 1)","(2, 1, 1)","0","8.0","S","Duration","ns","5")csv"
      "\n");
  ASSERT_EQ(rows.launches.size(), 1U);
  EXPECT_EQ(rows.names.text(rows.launches[0].kernel), "k(int)");
  EXPECT_EQ(rows.names.text(rows.launches[0].nvtx),
            "7  \"<default domain>:decode:none:none:none:none:none:none\" ");
}

TEST(NcuCsvTest, TrapByteOrderMarkCrlfAndTheProgramsOwnOutputComeFirst) {
  std::string table = kLongHeader2025;
  table += Row2025("0", "a", R"csv("S","Duration","us","6.75",)csv");
  std::string crlf;
  for (const char c : table) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  const std::string text =
      "\xEF\xBB\xBF==PROF== Connected to process 7 (C:\\app.exe)\r\n"
      "device: \"NVIDIA, \r\nwrote 7 rows\r\n" +
      crlf;
  EXPECT_TRUE(MayBeNcuCsv(text));
  const NcuRows rows = MustRead(text);
  EXPECT_TRUE(rows.has_byte_order_mark);
  EXPECT_TRUE(rows.has_crlf);
  EXPECT_EQ(rows.preamble_lines, 3);
  EXPECT_EQ(ValueOf(rows, 0, "Duration"), 6750.0);
}

TEST(NcuCsvTest, TrapAFileOfNothingButErrorsIsAnErrorThatQuotesThem) {
  const Result<NcuRows> rows = ReadCsv(
      "==PROF== Connected to process 7 (app)\n"
      "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access "
      "NVIDIA GPU Performance Counters\n");
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().code(), ErrorCode::kTool);
  EXPECT_EQ(rows.error().message().substr(0, 66),
            "line 2: no metrics; ncu reported: ==ERROR== ERR_NVGPUCTRPERM - The");
  EXPECT_NE(rows.error().message().find("NVreg_RestrictProfilingToAdminUsers=0"),
            std::string::npos);
  const Result<NcuRows> none =
      ReadCsv(std::string(kLongHeader2025) + "==WARNING== No kernels were profiled.\n");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code(), ErrorCode::kTool);
}

TEST(NcuCsvTest, TrapATruncatedFileKeepsWholeRowsAndCountsTheCutOne) {
  const std::string whole =
      std::string(kLongHeader2025) +
      Row2025("0", "a", R"csv("S","Duration","us","6.75",)csv") +
      Row2025("0", "a", R"csv("S","Elapsed Cycles","cycle","13,485",)csv");
  const NcuRows rows = MustRead(whole.substr(0, whole.size() - 6));
  ASSERT_EQ(rows.launches.size(), 1U);
  EXPECT_EQ(rows.launches[0].metrics.size(), 1U);
  EXPECT_EQ(rows.left_out.Get(DropReason::kRowCutOff), 1);
  const NcuRows wide =
      MustRead(std::string(kWide).substr(0, std::string(kWide).size() - 20));
  EXPECT_EQ(wide.launches.size(), 1U);
  EXPECT_EQ(wide.left_out.Get(DropReason::kRowCutOff), 1);
}

// At any byte: in a number, between fields, in the text of a rule.
TEST(NcuCsvTest, TellsThatALastRowIsCutOffWhereverThatIs) {
  const std::string first = std::string(kLongHeader2025) +
                            Row2025("0", "a", R"csv("S","Duration","us","6.75",)csv");
  const std::string metric = Row2025("1", "b", R"csv("S","Cycles","cycle","13,485",)csv");
  const std::string rule =
      Row2025("1", "b", R"csv("S","","","","Stalls","OPT","Use, less")csv");
  for (const auto& [row, whole] :
       {std::pair(metric, metric.find("485\"") + 4), {rule, rule.find("less\"") + 5}}) {
    for (size_t size = 1; size <= row.size(); ++size) {
      SCOPED_TRACE(row.substr(0, size));
      const NcuRows rows = MustRead(first + row.substr(0, size));
      EXPECT_EQ(rows.left_out.Get(DropReason::kRowCutOff), size < whole ? 1 : 0);
      EXPECT_EQ(rows.launches.size(), size < whole ? 1U : 2U);
      EXPECT_EQ(rows.left_out.Get(DropReason::kLineOfOtherReport), 0);
    }
  }
}

TEST(NcuCsvTest, RefusesATableThatIsCutOffBeforeItsFirstLaunch) {
  const std::string header(kLongHeader2025);
  for (const std::string& text :
       {header.substr(0, 40), header.substr(0, 100), header.substr(0, header.size() - 1),
        header + "\"0\",\"1741703\",\"pyth"}) {
    SCOPED_TRACE(text);
    const Result<NcuRows> rows = ReadCsv(text);
    ASSERT_FALSE(rows.ok());
    EXPECT_EQ(rows.error().message(),
              "cut off before its first launch; the tool may have been killed while "
              "writing: export it again");
  }
}

TEST(NcuCsvTest, ARowThatIsCutOffInTheMiddleDoesNotSwallowTheNext) {
  const NcuRows rows = MustRead(
      std::string(kLongHeader2025) + "\"0\",\"7\",\"app\",\"127.0.0.1\",\"a<in\n" +
      Row2025("1", "b", R"csv("S","Duration","us","6.75",)csv"));
  ASSERT_EQ(rows.launches.size(), 1U);
  EXPECT_EQ(rows.names.text(rows.launches[0].kernel), "b");
  EXPECT_EQ(rows.left_out.Get(DropReason::kRowCutOff), 1);
}

TEST(NcuCsvTest, TrapAMetricsOnlyReportHasAnEmptyDetailsPage) {
  const NcuRows rows = MustRead(kLongHeader2022);
  EXPECT_TRUE(rows.launches.empty());
  EXPECT_EQ(rows.form, NcuForm::kLong);
}

TEST(NcuCsvTest, TrapKernelNamesHaveThousandsOfCharactersCommasQuotesAndAngles) {
  std::string name = "void unnamed>::silu_kernel<(bool)0, \"\"x\"\", ";
  while (name.size() < 7262) name += "Functor<float, std::array<char *, 2ul> >, ";
  const NcuRows rows =
      MustRead(std::string(kLongHeader2025) +
               Row2025("0", name, R"csv("S","Duration","us","6.75",)csv"));
  ASSERT_EQ(rows.launches.size(), 1U);
  // Doubled quotes become one.
  EXPECT_EQ(rows.names.text(rows.launches[0].kernel).size(), name.size() - 2);
}

TEST(NcuCsvTest, ReadsSummariesWithTheirExtremes) {
  const NcuRows rows = MustRead(
      R"csv("Process ID","Process Name","Host Name","Kernel Name","Block Size","Grid Size","Device","CC","Invocations","Section Name","Metric Name","Metric Unit","Minimum","Maximum","Average")csv"
      "\n"
      R"csv("7","app","h","k","(1, 1, 1)","(2, 1, 1)","0","8.0","3","S","Duration","us","1.50","4.50","2.50")csv"
      "\n"
      R"csv("7","app","h","k","(1, 1, 1)","(4, 1, 1)","0","8.0","1","S","Duration","us","9.00","9.00","9.00")csv"
      "\n");
  EXPECT_EQ(rows.form, NcuForm::kSummary);
  ASSERT_EQ(rows.launches.size(), 2U);
  EXPECT_EQ(rows.launches[0].id, std::nullopt);
  EXPECT_EQ(rows.launches[0].launches, 3);
  const NcuMetric* const duration = Find(rows, rows.launches[0], "Duration");
  ASSERT_NE(duration, nullptr);
  EXPECT_EQ(duration->value, 2500.0);
  EXPECT_EQ(duration->value_min, 1500.0);
  EXPECT_EQ(duration->value_max, 4500.0);
}

TEST(NcuCsvTest, TellsWhatItFoundInsteadOfATable) {
  EXPECT_FALSE(ReadCsv("").ok());
  EXPECT_FALSE(ReadCsv("Time (%),Total Time (ns)\n").ok());
  const Result<NcuRows> utf16 = ReadCsv("\xFF\xFE\"\0I\0");
  ASSERT_FALSE(utf16.ok());
  EXPECT_EQ(utf16.error().message(),
            "encoded as UTF-16 (PowerShell's >); convert it to UTF-8");
  EXPECT_FALSE(MayBeNcuCsv("Time (%),Total Time (ns)\n"));
  EXPECT_FALSE(MayBeNcuCsv("{\"traceEvents\": []}"));
  EXPECT_TRUE(MayBeNcuCsv("hello\n\"ID\",\"Process ID\",\"Process Name\""));
}

TEST(NcuCsvTest, ReplacesBytesThatAreNoUtf8) {
  const NcuRows rows =
      MustRead(std::string(kLongHeader2025) +
               Row2025("0", "k\xE9", R"csv("S","Duration","us","6.75",)csv"));
  ASSERT_EQ(rows.launches.size(), 1U);
  EXPECT_EQ(rows.names.text(rows.launches[0].kernel), "k\xEF\xBF\xBD");
  EXPECT_GE(rows.left_out.Get(DropReason::kNameNotUtf8), 1);
}

}  // namespace
}  // namespace ridgeline::profiles
