// `ridgeline import` and `ridgeline top-kernels` on files of nsys, of our own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.h"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

const std::string kSummary = "tests/data/nsys/kernels_2022.csv";

// A directory with the export of tests/data/nsys/small.sql, gone after the test.
class NsysCli : public testing::Test {
 protected:
  NsysCli()
      : directory_(fs::path(testing::TempDir()) /
                   ("nsys_test." + std::to_string(::getpid()))),
        small_((directory_ / "small.sqlite").string()) {
    fs::create_directories(directory_);
    MakeExport(small_, "");
  }
  ~NsysCli() override { fs::remove_all(directory_); }

  // The export of small.sql, after further statements.
  static void MakeExport(const std::string& file, const std::string& changes) {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    const std::string sql =
        TextOf(fs::path(RIDGELINE_TESTS_DIR) / "data/nsys/small.sql") + changes;
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

  // With the directory's name left out.
  std::string Answer(const std::vector<std::string>& arguments,
                     const ProgramResult& result) const {
    std::string text = Transcript(arguments, result);
    const std::string prefix = directory_.string() + "/";
    for (size_t at = text.find(prefix); at != text.npos; at = text.find(prefix, at)) {
      text.erase(at, prefix.size());
    }
    return text;
  }

  fs::path directory_;
  std::string small_;
};

TEST_F(NsysCli, AnswersAsRecorded) {
  const std::string idle = (directory_ / "idle.sqlite").string();
  MakeExport(idle,
             "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; DELETE FROM "
             "CUPTI_ACTIVITY_KIND_GRAPH_TRACE;");
  const std::string cut = (directory_ / "cut.sqlite").string();
  fs::copy_file(small_, cut);
  fs::resize_file(cut, fs::file_size(cut) / 2);
  const std::string report = (directory_ / "run.nsys-rep").string();
  std::ofstream(report) << "NVIDIA Tegra Profiler Report 2026@1@1@204";
  struct Case {
    const char* name;
    std::vector<std::string> arguments;
    int exit_code;
  };
  const Case cases[] = {
      {"import_nsys", {"import", small_}, 0},
      {"import_nsys_json", {"import", "--json", small_}, 0},
      {"import_nsys_csv", {"import", kSummary}, 0},
      {"top_kernels_help", {"top-kernels", "--help"}, 0},
      {"top_kernels", {"top-kernels", small_}, 0},
      {"top_kernels_csv", {"top-kernels", kSummary, "--min-share", "0.2"}, 0},
      {"top_kernels_region", {"top-kernels", small_, "--region", "prefill/sam"}, 0},
      {"top_kernels_no_region", {"top-kernels", small_, "--region", "prefil"}, 2},
      {"top_kernels_other_region", {"top-kernels", small_, "--region", "xyzzy"}, 2},
      {"top_kernels_csv_region", {"top-kernels", kSummary, "--region", "prefill"}, 2},
      {"top_kernels_bad_share", {"top-kernels", small_, "--min-share", "12"}, 2},
      {"top_kernels_none", {"top-kernels", idle}, 0},
      {"top_kernels_none_that_long", {"top-kernels", small_, "--min-share", "0.99"}, 0},
      {"import_nsys_truncated", {"import", cut}, 2},
      {"import_nsys_report", {"import", report}, 2},
      {"top_kernels_report", {"top-kernels", report}, 2},
      {"top_kernels_no_file", {"top-kernels"}, 2},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const ProgramResult result = RunProgram(c.arguments);
    EXPECT_EQ(result.exit_code, c.exit_code);
    ExpectGolden(c.name, Answer(c.arguments, result));
  }
}

TEST_F(NsysCli, StoresRegionsAndNoSecrets) {
  const std::string output = (directory_ / "results.sqlite").string();
  ASSERT_EQ(RunProgram({"import", small_, kSummary, "--events", "-o", output}).exit_code,
            0);
  EXPECT_THAT(TextOf(small_), HasSubstr("EXAMPLE_API_KEY"));
  EXPECT_THAT(TextOf(output), Not(HasSubstr("EXAMPLE_API_KEY")));
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(output.c_str(), &database), SQLITE_OK);
  const auto number = [&](const char* sql) {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr), SQLITE_OK)
        << sql;
    EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW) << sql;
    const int64_t value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
  };
  EXPECT_EQ(number("SELECT count(*) FROM source"), 2);
  EXPECT_EQ(number("SELECT gpu_exclusive_ns FROM region WHERE path = 'prefill/sam'"),
            50000);
  EXPECT_EQ(number("SELECT gpu_inclusive_ns FROM region WHERE path = 'prefill'"), 80000);
  EXPECT_EQ(number("SELECT sum(gpu_exclusive_ns) FROM region"), 185000);
  EXPECT_EQ(number("SELECT count(*) FROM gpu_activity WHERE kind = 'graph'"), 1);
  EXPECT_EQ(number("SELECT calls FROM api_total WHERE kind = 'osrt'"), 1);
  sqlite3_close(database);
}

TEST_F(NsysCli, WritesYamlToAFile) {
  const std::string output = (directory_ / "kernels.yaml").string();
  const ProgramResult result =
      RunProgram({"top-kernels", small_, "--topk", "1", "-o", output});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(TextOf(output), HasSubstr("\n  rank: 1\n"));
  EXPECT_THAT(TextOf(output), Not(HasSubstr("\n  rank: 2\n")));
}

// nsys itself ends with 0 after each of these.
TEST_F(NsysCli, FailsOnWhatNsysStatsLeavesWithoutASummary) {
  struct Case {
    const char* what;
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"a report that this nsys does not know",
       "Processing [a.sqlite] with [b.py]... \n\n"
       "ERROR: Report 'cuda_gpu_kern_sum' could not be found.\n",
       "nsys reported: ERROR: Report 'cuda_gpu_kern_sum' could not be found."},
      {"nothing to report",
       "Processing [a.sqlite] with [b.py]... \n"
       "SKIPPED: a.sqlite does not contain CUDA kernel data.\n",
       "nsys reported: SKIPPED: a.sqlite does not contain CUDA kernel data."},
      {"the same, written to a file", "", "stats.csv: "},
  };
  const std::string path = (directory_ / "stats.csv").string();
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    std::ofstream(path, std::ios::trunc) << c.text;
    for (const char* const command : {"import", "top-kernels"}) {
      SCOPED_TRACE(command);
      const ProgramResult result = RunProgram({command, path});
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_EQ(result.out, "");
      EXPECT_THAT(result.err, HasSubstr(c.want));
    }
  }
}

// The column of percents has one decimal: 0.0 for many.
TEST_F(NsysCli, ComputesSharesFromTimes) {
  const std::string path = (directory_ / "stats.csv").string();
  std::ofstream(path)
      << "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev "
         "(ns),Name\n100.0,999600,1,1,1,1,1,0,f\n0.0,400,1,1,1,1,1,0,g\n";
  const ProgramResult result = RunProgram({"top-kernels", path});
  EXPECT_THAT(result.out, HasSubstr("time_share: 0.999600"));
  EXPECT_THAT(result.out, HasSubstr("time_share: 0.000400"));
}

TEST_F(NsysCli, WarnsIfGraphsHideMostKernels) {
  const std::string path = (directory_ / "graphs.sqlite").string();
  const auto warned = [&](const std::string& change,
                          const std::vector<std::string>& flags) {
    fs::remove(path);
    MakeExport(path, change);
    std::vector<std::string> arguments = {"top-kernels", path};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return RunProgram(arguments).err;
  };
  const std::string longer =
      "UPDATE CUPTI_ACTIVITY_KIND_GRAPH_TRACE SET end = start + 1000000000;";
  const std::string want = "captured as a whole take 100 % of kernel and graph time";
  EXPECT_THAT(warned("", {}), Not(HasSubstr("captured as a whole")));
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{}, {"--region", "prefill"}}) {
    EXPECT_THAT(warned(longer, flags), HasSubstr(want));
  }
  const std::string none = warned(longer + "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL;", {});
  EXPECT_THAT(none, HasSubstr("nsys --cuda-graph-trace=node"));
  EXPECT_THAT(none, Not(HasSubstr("no kernels in the capture")));
}

TEST_F(NsysCli, TellsHowToExportAReport) {
  const std::string path = (directory_ / "report.nsys-rep").string();
  std::ofstream(path) << "NVIDIA Tegra Profiler Report 2026@1@1@204";
  const ProgramResult result = RunProgram({"import", path});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("nsys export --type sqlite " + path));
}

TEST_F(NsysCli, RefusesDamagedAndForeignDatabases) {
  const std::string text = TextOf(small_);
  std::ofstream(directory_ / "cut.sqlite", std::ios::binary)
      << text.substr(0, text.size() / 2);
  const ProgramResult cut = RunProgram({"import", (directory_ / "cut.sqlite").string()});
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_THAT(cut.err, HasSubstr("cut.sqlite: SQLite: "));
  const std::string results = (directory_ / "results.sqlite").string();
  ASSERT_EQ(RunProgram({"import", kSummary, "-o", results}).exit_code, 0);
  const ProgramResult ours = RunProgram({"import", results});
  EXPECT_EQ(ours.exit_code, 2);
  EXPECT_THAT(ours.err, HasSubstr("an SQLite database, but not an nsys export"));
}

}  // namespace
}  // namespace ridgeline::cli
