#include "profiles/nsys_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <locale>
#include <string>

namespace ridgeline::profiles {
namespace {

using results::DropReason;
using results::KernelSummary;
using testing::HasSubstr;
using testing::SizeIs;

constexpr char kHeader[] =
    "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev "
    "(ns),Name\n";

KernelSummary ReadSummary(const std::string& text) {
  MemorySource source(text);
  Result<KernelSummary> summary = ReadNsysCsv(source);
  EXPECT_TRUE(summary.ok()) << (summary.ok() ? "" : summary.error().message());
  return summary.ok() ? std::move(summary).value() : KernelSummary();
}

std::string SummaryErrorOf(const std::string& text) {
  MemorySource source(text);
  const Result<KernelSummary> summary = ReadNsysCsv(source);
  return summary.ok() ? "" : summary.error().message();
}

std::string NameOf(const KernelSummary& summary, size_t row) {
  return std::string(summary.names.text(summary.rows[row].name));
}

TEST(NsysCsvTest, ReadsEveryDialect) {
  struct Case {
    const char* what;
    std::string text;
    int64_t preamble;
    const char* unit;
  };
  const Case cases[] = {
      {"2020",
       "Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name\n"
       "75.0,3000,3,1000.0,900,1100,\"f(int, int)\"\n25.0,1000,1,1000.0,1000,1000,g\n",
       0, "ns"},
      {"2022, a row per grid",
       "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev "
       "(ns),GridXYZ,BlockXYZ,Name\n75.0,3000,3,1000.0,1000.0,900,1100,1.0,1024    1   "
       "40, "
       "128    1    1,\"f(int, int)\"\n25.0,1000,1,1000.0,1000.0,1000,1000,0.0,   1    1 "
       " "
       "  1,  32    1    1,g\n",
       0, "ns"},
      {"2023 on the console, in microseconds, with CR LF",
       "Processing [report.sqlite] with [x.py]... \r\n"
       "Time (%),Total Time (us),Instances,Avg (us),Med (us),Min (us),Max (us),StdDev "
       "(us),Name\r\n75.0,3.000,3,1.0,1.0,0.900,1.100,0.001,\"f(int, int)\"\r\n"
       "25.0,1.000,1,1.0,1.0,1.000,1.000,0,g\r\n\r\n",
       1, "us"},
      {"tabs, milliseconds",
       "Using x.sqlite\nExporting [a]\n\nTime (%)\tTotal Time (ms)\tInstances\tAvg "
       "(ms)\tMin (ms)\tMax (ms)\tName\n75.0\t0.003\t3\t0.001\t0.0009\t0.0011\tf(int, "
       "int)\n25.0\t0.001\t1\t0.001\t0.001\t0.001\tg\n",
       3, "ms"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_TRUE(MayBeNsysCsv(c.text));
    const KernelSummary summary = ReadSummary(c.text);
    EXPECT_EQ(summary.preamble_lines, c.preamble);
    EXPECT_EQ(summary.time_unit, c.unit);
    ASSERT_THAT(summary.rows, SizeIs(2));
    EXPECT_EQ(NameOf(summary, 0), "f(int, int)");
    EXPECT_EQ(summary.rows[0].instances, 3);
    EXPECT_EQ(summary.rows[0].time_total_ns, 3000);
    EXPECT_EQ(summary.rows[0].time_min_ns, 900);
    EXPECT_EQ(summary.rows[0].time_max_ns, 1100);
    EXPECT_EQ(NameOf(summary, 1), "g");
  }
}

// nsys does not double quotes, and does not remove newlines inside them.
TEST(NsysCsvTest, KeepsNamesWhateverTheyHold) {
  const KernelSummary summary =
      ReadSummary(kHeader + std::string("50.0,10,1,10,10,10,10,0,\"a \"b\", c\nd, e\"\n"
                                        "50.0,10,1,10,10,10,10,0,\"f<1, 2>\"\n"));
  ASSERT_THAT(summary.rows, SizeIs(2));
  EXPECT_EQ(NameOf(summary, 0), "a \"b\", c\nd, e");
  EXPECT_EQ(NameOf(summary, 1), "f<1, 2>");
}

TEST(NsysCsvTest, StopsWhereAnotherReportBegins) {
  const KernelSummary summary = ReadSummary(
      kHeader + std::string("100.0,10,1,10,10,10,10,0,f\n\nProcessing [a] with [b]...\n"
                            "Time (%),Total Time (ns),Count,Operation\n"
                            "1.0,5,1,[CUDA memset]\n"));
  EXPECT_THAT(summary.rows, SizeIs(1));
  EXPECT_EQ(summary.left_out.Get(DropReason::kLineOfOtherReport), 3);
}

TEST(NsysCsvTest, RefusesASecondSummary) {
  const std::string one = kHeader + std::string("100.0,10,1,10,10,10,10,0,f\n");
  EXPECT_THAT(SummaryErrorOf(one + one), HasSubstr("line 3: a second kernel summary"));
  EXPECT_THAT(SummaryErrorOf(one + "\nProcessing [a] with [b]...\n" + one),
              HasSubstr("line 5: a second kernel summary"));
}

TEST(NsysCsvTest, CountsRowsThatAreNone) {
  const KernelSummary summary = ReadSummary(
      kHeader + std::string("nonsense\n50.0,ten,1,1,1,1,1,0,f\n50.0,10,1,1,1,1,1,0,g\n"));
  EXPECT_THAT(summary.rows, SizeIs(1));
  EXPECT_EQ(summary.left_out.Get(DropReason::kLineTimeUnusable), 2);
}

TEST(NsysCsvTest, TellsNumbersThatAreTooLargeFromOtherText) {
  for (const char* row :
       {"50.0,12345678901234567890,1,1,1,1,1,0,f\n", "50.0,-10,1,1,1,1,1,0,f\n",
        "50.0,10,12345678901234567890,1,1,1,1,0,f\n"}) {
    const KernelSummary summary =
        ReadSummary(kHeader + std::string("50.0,10,1,1,1,1,1,0,\"g\"\n") + row);
    EXPECT_THAT(summary.rows, SizeIs(1)) << row;
    EXPECT_EQ(summary.left_out.Get(DropReason::kLineTimeUnusable), 0) << row;
    EXPECT_EQ(summary.left_out.Get(DropReason::kLineTimeOutOfRange), 1) << row;
  }
}

// From a spreadsheet, for example. No row may be read with the values of other columns.
TEST(NsysCsvTest, RefusesRowsThatDoNotMatchTheHeader) {
  const std::string good = "50.0,10,1,10,10,10,10,0,f\n";
  for (const char* row :
       {"12,5,10,1,10,10,10,10,0,g\n", "50,10,1,10,5,10,10,10,0,g\n",
        "12,5,10,1,10,10,10,10,0,\"g<1, 2>\"\n", "50.0,10,1,\"10,5\",10,10,10,0,g\n",
        "50.0,10,1,10,10,10,10,0,5,\"g\"\n", "50.0,10,1,10,10,10,10,\"g<1, 2>\"\n",
        "12,5,10,1,10,3,10,3,10,10,0,g\n"}) {
    EXPECT_THAT(SummaryErrorOf(kHeader + good + row),
                HasSubstr("line 3: the fields do not match the 9 columns"))
        << row;
  }
  EXPECT_THAT(ReadSummary(kHeader + good + "50.0,10,1,10,10,10,10,0,g(int, int)\n").rows,
              SizeIs(2));
}

// nsys writes 1234.5 in every locale, so it is read as such in every locale.
TEST(NsysCsvTest, ReadsNumbersWithADotInEveryLocale) {
  struct German : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale(), new German));
  // If it is installed; otherwise only streams are German.
  const std::string c_before = std::setlocale(LC_NUMERIC, nullptr);
  std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
  const KernelSummary summary = ReadSummary(
      "Time (%),Total Time (us),Instances,Avg (us),Med (us),Min (us),Max (us),StdDev "
      "(us),Name\n100.0,1234.567,1000,1.2,1.2,1.001,2.002,0.1,f\n");
  std::setlocale(LC_NUMERIC, c_before.c_str());
  std::locale::global(before);
  ASSERT_THAT(summary.rows, SizeIs(1));
  EXPECT_EQ(summary.rows[0].time_total_ns, 1'234'567);
  EXPECT_EQ(summary.rows[0].instances, 1000);
  EXPECT_EQ(summary.rows[0].time_min_ns, 1001);
  EXPECT_EQ(summary.rows[0].time_max_ns, 2002);
  EXPECT_DOUBLE_EQ(summary.rows[0].told_share, 1);
}

// nsys still exits with 0.
TEST(NsysCsvTest, RepeatsWhatNsysSaidInsteadOfASummary) {
  EXPECT_THAT(SummaryErrorOf(
                  "Processing [a] with [b]...\nERROR: Report 'b' could not be found.\n"),
              HasSubstr("nsys reported: ERROR: Report 'b' could not be found."));
  EXPECT_THAT(SummaryErrorOf("SKIPPED: a.sqlite does not contain CUDA kernel data.\n"),
              HasSubstr("nsys reported: SKIPPED"));
  EXPECT_THAT(SummaryErrorOf(""), HasSubstr("not a kernel summary"));
  EXPECT_THAT(
      SummaryErrorOf("Time (%),Total Time (ns),Instances,Min (ns),Max (ns),Range\n"),
      HasSubstr("not a kernel summary"));
  EXPECT_THAT(SummaryErrorOf("Time (%),Total Time (h),Instances,Min (h),Max (h),Name\n"),
              HasSubstr("unknown time unit 'h'"));
}

// A truncated file must never be read as a complete one.
TEST(NsysCsvTest, RefusesFilesThatAreCutOff) {
  const std::string whole =
      kHeader + std::string(
                    "57.1,60000,2,30000,30000,20000,40000,10,\"a, b\"\n"
                    "28.6,30000,1,30000,30000,30000,30000,0,\"c\nd\"\n"
                    "14.3,15000,2,7500,7500,5000,10000,2500,e\n");
  EXPECT_THAT(ReadSummary(whole).rows, SizeIs(3));
  const size_t header_end = std::string(kHeader).size();
  EXPECT_THAT(ReadSummary(whole.substr(0, whole.size() - 1)).rows, SizeIs(3))
      << "only the end of the line is missing";
  for (size_t size = 0; size + 1 < whole.size(); ++size) {
    if (size == header_end) continue;  // A summary without kernels.
    SCOPED_TRACE(whole.substr(0, size));
    EXPECT_NE(SummaryErrorOf(whole.substr(0, size)), "");
  }
  EXPECT_THAT(SummaryErrorOf(whole.substr(0, whole.size() - 2)),
              HasSubstr("line 5: cut off inside a row"));
  EXPECT_THAT(SummaryErrorOf(whole.substr(0, whole.find("14.3"))),
              HasSubstr("cut off: the rows add up to 90000 ns, Time (%) to a total of at "
                        "least 104987 ns"));
  EXPECT_THAT(SummaryErrorOf(whole.substr(0, whole.find("d\""))),
              HasSubstr("cut off inside a kernel name"));
}

TEST(NsysCsvTest, SumsTimesOnlyWhereNothingWasDroppedOrRounded) {
  EXPECT_THAT(ReadSummary(kHeader + std::string("50.0,10,1,1,1,1,1,0,f\n"
                                                "50.0,ten,1,1,1,1,1,0,g\n"))
                  .rows,
              SizeIs(1));
  EXPECT_THAT(ReadSummary("Time (%),Total Time (ms),Instances,Min (ms),Max (ms),Name\n"
                          "50.0,0.001,1,0.001,0.001,f\n50.0,0.000,1,0.000,0.000,g\n")
                  .rows,
              SizeIs(2));
  EXPECT_THAT(ReadSummary(kHeader + std::string("0.0,0,1,0,0,0,0,0,f\n")).rows,
              SizeIs(1));
}

}  // namespace
}  // namespace ridgeline::profiles
