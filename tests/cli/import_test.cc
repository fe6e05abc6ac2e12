// `ridgeline import` on traces of our own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/program.h"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Json = nlohmann::json;

const std::string kSmall = "tests/data/torch_trace/small.json";
const std::string kArray = "tests/data/torch_trace/array_2020.json";

// A directory for files, gone after the test.
class ImportCli : public testing::Test {
 protected:
  ImportCli()
      : directory_(fs::path(testing::TempDir()) /
                   ("import_test." + std::to_string(::getpid()))) {
    fs::create_directories(directory_);
  }
  ~ImportCli() override { fs::remove_all(directory_); }

  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(directory_ / name, std::ios::binary) << bytes;
    return directory_ / name;
  }

  fs::path directory_;
};

int64_t CountOf(const fs::path& path, const std::string& sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr),
            SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
  const int64_t count = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return count;
}

TEST_F(ImportCli, AnswersAsRecorded) {
  struct Case {
    const char* name;
    std::vector<std::string> arguments;
    int exit_code;
  };
  const Case cases[] = {
      {"import_help", {"import", "--help"}, 0},
      {"import", {"import", kSmall}, 0},
      {"import_two", {"import", "--top", "1", kArray, kSmall}, 0},
      {"import_json", {"import", "--json", kSmall}, 0},
      {"import_no_file", {"import"}, 2},
      {"import_bad_top", {"import", kSmall, "--top", "0"}, 2},
      {"import_top_of_json", {"import", "--json", "--top", "2", kSmall}, 2},
      {"import_given_twice", {"import", kSmall, kSmall}, 2},
      {"import_events_without_output", {"import", kSmall, "--events"}, 2},
      {"import_missing", {"import", "no/such/trace.json"}, 2},
      {"import_directory", {"import", "tests"}, 2},
      {"import_foreign", {"import", "README.md"}, 2},
      {"import_no_events", {"import", "tests/data/torch_trace/no_events.json"}, 2},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const ProgramResult result = RunProgram(c.arguments);
    EXPECT_EQ(result.exit_code, c.exit_code);
    ExpectGolden(c.name, Transcript(c.arguments, result));
  }
}

TEST_F(ImportCli, RefusesALinkToAFileThatIsGiven) {
  const std::string file = Write("a.json", TextOf(kSmall));
  const std::string link = (directory_ / "b.json").string();
  fs::create_symlink("a.json", link);
  const ProgramResult result = RunProgram({"import", file, link});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("import: " + link + " is given twice, also as " + file));
}

TEST_F(ImportCli, WritesOneSourcePerFile) {
  const fs::path output = directory_ / "results.sqlite";
  ASSERT_EQ(RunProgram({"import", kSmall, kArray, "-o", output.string()}).exit_code, 0);
  EXPECT_EQ(CountOf(output, "PRAGMA user_version"), 9);
  EXPECT_EQ(CountOf(output, "SELECT count(*) FROM source"), 2);
  EXPECT_EQ(CountOf(output, "SELECT count(*) FROM device"), 2);
  EXPECT_EQ(CountOf(output, "SELECT busy_ns FROM device_time WHERE device_id = 0"),
            194750);
  EXPECT_EQ(CountOf(output, "SELECT count(*) FROM gpu_activity"), 0);
  ASSERT_EQ(
      RunProgram({"import", kSmall, kArray, "--events", "-o", output.string()}).exit_code,
      0);
  EXPECT_EQ(CountOf(output, "SELECT count(*) FROM gpu_activity"), 8);
}

TEST_F(ImportCli, LeavesWhatWasThereWhenAFileIsBroken) {
  const std::string broken = Write("broken.json", R"([{"ph": "X", )");
  const std::string output = Write("results.sqlite", "");
  ASSERT_EQ(RunProgram({"import", kSmall, "-o", output}).exit_code, 0);
  const std::string before = TextOf(output);
  const ProgramResult result = RunProgram({"import", kSmall, broken, "-o", output});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "ridgeline: " + broken + ": byte 13: unexpected end of file\n");
  EXPECT_EQ(TextOf(output), before);
}

TEST_F(ImportCli, TellsWhereADecompressedTextIsBroken) {
  // gzip -n of "[{} {}]", and the same cut short.
  const std::string packed(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x8b\xae\xae\x55\xa8\xae\x8d\x05\x00"
      "\x32\xb9\xc4\xab\x07\x00\x00\x00",
      27);
  const ProgramResult broken = RunProgram({"import", Write("a.json.gz", packed)});
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_THAT(broken.err, HasSubstr("a.json.gz: decompressed: byte 4: expected ','"));
  const ProgramResult cut =
      RunProgram({"import", Write("b.json.gz", packed.substr(0, 20))});
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_THAT(cut.err,
              HasSubstr("byte 20 of the compressed file: unexpected end of file"));
}

TEST_F(ImportCli, FailsWhenTheOutputCannotBeWritten) {
  const ProgramResult result =
      RunProgram({"import", kSmall, "-o", (directory_ / "no" / "such.sqlite").string()});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("such.sqlite: No such file or directory"));
}

TEST_F(ImportCli, PrintsTheMetricsOfAReportAsJson) {
  const std::string reports = (directory_ / "reports").string();
  ASSERT_EQ(RunProgram({"report", kSmall, "-o", reports}).exit_code, 0);
  std::string json = RunProgram({"import", "--json", kSmall}).out;
  // Reports have names of files without directories.
  const std::string path = kSmall;
  for (size_t at = json.find(path); at != json.npos; at = json.find(path)) {
    json.replace(at, path.size(), fs::path(path).filename().string());
  }
  EXPECT_EQ(json, TextOf(reports + "/metrics.json"));
}

// Names may hold anything; JSON is UTF-8 all the same.
TEST_F(ImportCli, PrintsJsonWhateverTheNamesAre) {
  const std::string file =
      Write("names.json",
            "[{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":1,\"dur\":1,\"pid\":\"\xFF\","
            "\"tid\":\"\\ud800\",\"name\":\"\xFF\\u0000\\n\"}]");
  const ProgramResult result = RunProgram({"import", "--json", file});
  EXPECT_EQ(result.exit_code, 0);
  const Json json = Json::parse(result.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json.at("kernels")[0].at("launches"), 1);
}

}  // namespace
}  // namespace ridgeline::cli
