// `ridgeline import` and `ridgeline analyze` on files of ncu, of our own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.h"
#include "os/testing/golden.h"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kRaw = "tests/data/ncu/raw_three_launches.csv";
const std::string kRun = "tests/data/ncu/two_kernels";

// A directory to write to, gone after the test.
class NcuCli : public testing::Test {
 protected:
  NcuCli()
      : directory_(fs::path(testing::TempDir()) /
                   ("ncu_test." + std::to_string(::getpid()))) {
    fs::create_directories(directory_);
  }
  ~NcuCli() override { fs::remove_all(directory_); }

  fs::path directory_;
};

TEST_F(NcuCli, AnswersAsRecorded) {
  struct Case {
    const char* name;
    std::vector<std::string> arguments;
    int exit_code;
  };
  const Case cases[] = {
      {"import_ncu_raw", {"import", kRaw}, 0},
      {"import_ncu_json", {"import", "--json", kRaw}, 0},
      {"import_ncu_de", {"import", "tests/data/ncu/details_2022_de_DE.csv"}, 0},
      {"import_ncu_no_permission", {"import", "tests/data/ncu/no_permission.csv"}, 2},
      {"analyze_help", {"analyze", "--help"}, 0},
      {"analyze_raw", {"analyze", kRaw}, 0},
      {"analyze_directory", {"analyze", kRun, "--gpu", "RTX 5090"}, 0},
      {"analyze_gap", {"analyze", kRun, "--class-rule=throughput-gap"}, 0},
      {"analyze_ridge",
       {"analyze", kRun, "--class-rule=ridge", "--peak-tflops", "200", "--peak-gbps",
        "1000"},
       0},
      {"analyze_without_directory", {"analyze"}, 2},
      {"analyze_nothing", {"analyze", "tests/data/nsys"}, 2},
      {"analyze_bad_rule", {"analyze", kRun, "--class-rule=roofline"}, 2},
      {"analyze_bad_threshold", {"analyze", kRun, "--gap", "five"}, 2},
      {"analyze_bad_gpu", {"analyze", kRun, "--gpu", "Voodoo 2"}, 2},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const ProgramResult result = RunProgram(c.arguments);
    EXPECT_EQ(result.exit_code, c.exit_code);
    ExpectGolden(c.name, Transcript(c.arguments, result));
  }
}

TEST_F(NcuCli, WritesTablesAndPlotsAsRecorded) {
  for (const std::string& input : {kRaw, kRun}) {
    const fs::path output = directory_ / fs::path(input).stem();
    ASSERT_EQ(RunProgram({"analyze", input, "--output-dir", output.string()}).exit_code,
              0);
    for (const fs::directory_entry& entry : fs::directory_iterator(output)) {
      const std::string name = entry.path().filename();
      SCOPED_TRACE(name);
      os::ExpectGolden("ncu/" + output.filename().string() + "/" + name,
                       TextOf(entry.path()));
    }
  }
}

TEST_F(NcuCli, StoresLaunchesMetricsAndRules) {
  const std::string output = (directory_ / "results.sqlite").string();
  ASSERT_EQ(RunProgram({"import", kRaw, kRun + "/kernel_0001_gemm/ncu.details.csv", "-o",
                        output})
                .exit_code,
            0);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(output.c_str(), &database), SQLITE_OK);
  const auto number = [&](const char* sql) {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr), SQLITE_OK)
        << sql;
    EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW) << sql;
    const double value = sqlite3_column_double(statement, 0);
    sqlite3_finalize(statement);
    return value;
  };
  EXPECT_EQ(number("SELECT count(*) FROM source WHERE format = 'ncu_csv'"), 2);
  EXPECT_EQ(number("SELECT count(*) FROM ncu_launch"), 4);
  EXPECT_EQ(number("SELECT sum(duration_ns) FROM ncu_launch WHERE source_id = 0"),
            1304000);
  EXPECT_EQ(number("SELECT value FROM counter WHERE metric = 'dram__bytes_write.sum' AND "
                   "source_id = 1 AND unit = 'byte'"),
            512000);
  EXPECT_EQ(number("SELECT speedup_percent FROM ncu_rule WHERE kind = 'OPT' AND "
                   "speedup_kind = 'global'"),
            28.4);
  sqlite3_close(database);
}

// A kernel that ncu could not replay has n/a for all of its metrics.
TEST_F(NcuCli, SaysWhatOfALaunchWasNotMeasured) {
  const fs::path file = directory_ / "details.csv";
  std::ofstream csv(file);
  csv << R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream",)"
      << R"("Block Size","Grid Size","Device","CC","Section Name","Metric Name",)"
      << R"("Metric Unit","Metric Value")"
      << "\n";
  struct Row {
    const char* id;
    const char* kernel;
    const char* metric;
    const char* unit;
    const char* value;
  };
  const Row rows[] = {{"0", "fast", "Duration", "usecond", "90"},
                      {"0", "fast", "Compute (SM) Throughput", "%", "66"},
                      {"0", "fast", "Memory Throughput", "%", "17"},
                      {"1", "broken", "Duration", "usecond", "nan"},
                      {"1", "broken", "Memory Throughput", "%", "nan"}};
  for (const Row& row : rows) {
    csv << '"' << row.id << R"(","1","p","h",")" << row.kernel
        << R"x(","1","7","(1, 1, 1)","(1, 1, 1)","0","8.0",)x"
        << R"("GPU Speed Of Light Throughput",")" << row.metric << R"(",")" << row.unit
        << R"(",")" << row.value << "\"\n";
  }
  csv.close();
  const ProgramResult imported = RunProgram({"import", file.string()});
  EXPECT_THAT(imported.out, HasSubstr("1 unknown (duration not measured), 1 compute"));
  EXPECT_THAT(imported.out,
              HasSubstr("'fast' takes 100 % of the measured time (1 of 2 launches) in "));
  EXPECT_THAT(imported.out, HasSubstr("Compute-bound (SM 66 % of peak): see the "));
  const ProgramResult analyzed = RunProgram({"analyze", file.string()});
  EXPECT_THAT(analyzed.out, HasSubstr("unknown               1  not measured"));
  EXPECT_THAT(analyzed.out,
              HasSubstr("  unknown: SM throughput and memory throughput not measured: "
                        "profile with ncu --section SpeedOfLight"));
}

TEST_F(NcuCli, GoesOnWithoutFilesThatItCannotRead) {
  fs::copy(fs::path(RIDGELINE_TESTS_DIR) / "data/ncu/two_kernels", directory_ / "run",
           fs::copy_options::recursive);
  fs::copy(fs::path(RIDGELINE_TESTS_DIR) / "data/ncu/no_permission.csv",
           directory_ / "run/kernel_0003.csv");
  const ProgramResult result = RunProgram({"analyze", (directory_ / "run").string()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("warning: skipped: "));
  EXPECT_THAT(result.err, HasSubstr("kernel_0003.csv: line 2: no metrics"));
  EXPECT_THAT(result.out, HasSubstr("2 launches profiled with ncu"));
}

TEST_F(NcuCli, SaysThatThereIsNoPngWithoutTheToolForIt) {
  const ProgramResult result =
      RunProgram({"analyze", kRaw, "--svg-dir", directory_.string(), "--png"},
                 {"PATH=" + directory_.string()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err,
            "ridgeline: warning: no PNG: rsvg-convert not found (package "
            "librsvg2-bin)\n");
}

}  // namespace
}  // namespace ridgeline::cli
