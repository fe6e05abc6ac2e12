#include "profiles/formats.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "profiles/shared/gzip.h"
#include "profiles/testing/ncu_report_bytes.h"
#include "profiles/testing/sqlite_file.h"

namespace ridgeline::profiles {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

constexpr char kTrace[] =
    R"([{"ph":"X","cat":"kernel","name":"gemm","ts":1,"dur":2,"pid":0,"tid":7,)"
    R"("args":{"device":0,"stream":7}}])";
constexpr char kSummary[] =
    "Time (%),Total Time (ns),Instances,Avg (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
    "100.0,30,2,15.0,10,20,5.0,gemm\n";
constexpr char kPage[] =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\","
    "\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\","
    "\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
    "\"0\",\"1\",\"a\",\"h\",\"gemm\",\"1\",\"7\",\"(32, 1, 1)\",\"(1, 1, 1)\",\"0\","
    "\"8.6\",\"GPU Speed Of Light Throughput\",\"Duration\",\"ns\",\"5\"\n";

std::string Gzipped(const std::string& text) {
  Gzip gzip;
  gzip.Add(text);
  return gzip.Finish().value();
}

class FormatsTest : public testing::Test {
 protected:
  ~FormatsTest() override { fs::remove(path_); }

  void Write(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  // The id of the detected format, or the error without the file name.
  std::string FormatOrError(std::initializer_list<Tool> tools = {}) {
    const Result<Profile> profile = OpenProfile(path_, {}, tools);
    if (profile.ok()) return std::string(profile.value().info.format);
    EXPECT_THAT(profile.error().message(), StartsWith(path_.string() + ": "));
    return profile.error().message().substr(path_.string().size() + 2);
  }

  // Unique, because tests run concurrently.
  const fs::path path_ =
      fs::path(testing::TempDir()) / ("ridgeline-formats-" + std::to_string(::getpid()));
};

TEST_F(FormatsTest, HaveUniqueIdsAndAreListedInTheHelp) {
  std::set<std::string_view> ids;
  const std::string help = FormatsHelp("  ");
  for (const Format& format : Formats()) {
    EXPECT_TRUE(ids.insert(format.id).second) << format.id;
    EXPECT_THAT(help, HasSubstr("  " + std::string(format.help) + "\n"));
  }
}

TEST_F(FormatsTest, AreFoundByContentAlsoThroughGzip) {
  const struct {
    const char* id;
    std::string bytes;
  } cases[] = {
      {"torch_trace", kTrace},
      {"nsys_csv", kSummary},
      {"ncu_csv", kPage},
      {"ncu_csv", "the program prints\n" + std::string(kPage)},
      {"ncu_report", ncu_report_bytes::Report(7, ncu_report_bytes::Range(), 7)},
  };
  for (const auto& c : cases) {
    for (const bool is_compressed : {false, true}) {
      SCOPED_TRACE(std::string(c.id) + (is_compressed ? ".gz" : ""));
      const std::string bytes = is_compressed ? Gzipped(c.bytes) : c.bytes;
      Write(bytes);
      EXPECT_EQ(FormatOrError(), c.id);
      EXPECT_EQ(OpenProfile(path_).value().info.file_bytes, bytes.size());
      const Result<const Format*> format = FormatOf(path_);
      ASSERT_TRUE(format.ok()) << format.error().message();
      EXPECT_EQ(format.value()->id, c.id);
    }
  }
}

TEST_F(FormatsTest, NameWhatWasFoundInstead) {
  Write("hello");
  EXPECT_EQ(FormatOrError(),
            "expected a profile, got text starting with 'hello'\nhint: `ridgeline import "
            "--help` lists the formats");
  EXPECT_EQ(
      FormatOrError({Tool::kNcu}),
      "expected an ncu page (CSV) or an ncu report, got text starting with 'hello'");
  EXPECT_EQ(FormatOf(path_).value(), nullptr);
  Write(kTrace);
  EXPECT_EQ(FormatOrError({Tool::kNcu}),
            "expected an ncu page (CSV) or an ncu report, got a PyTorch trace");
  Write(Gzipped("hello"));
  EXPECT_EQ(FormatOrError(),
            "expected a profile, got text starting with 'hello'\nhint: `ridgeline import "
            "--help` lists the formats");
}

TEST_F(FormatsTest, EndOnFilesWithoutAnEnd) {
  const Result<Profile> profile = OpenProfile("/dev/zero", {}, {Tool::kNcu});
  ASSERT_FALSE(profile.ok());
  EXPECT_EQ(profile.error().message(),
            "/dev/zero: expected an ncu page (CSV) or an ncu report, got binary data");
}

TEST_F(FormatsTest, SumUpTheKernelsOfAnExportIfNothingElseIsWanted) {
  SqliteFile file;
  file.Run(kStringsTableSql);
  file.Run(KernelTableSql());
  file.Run("INSERT INTO StringIds VALUES (1, 'gemm'), (2, 'copy'), (3, 'unused')");
  file.Run(
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, "
      "correlationId, globalPid, demangledName, shortName) VALUES (0, 10, 0, 7, 1, 1, 2, "
      "2), (20, 50, 0, 7, 2, 1, 1, 1), (60, 65, 1, 7, 3, 1, 2, 2)");
  const Result<Profile> whole = OpenProfile(file.path());
  ASSERT_TRUE(whole.ok()) << whole.error().message();
  EXPECT_TRUE(std::holds_alternative<results::NsysRows>(whole.value().rows));
  const Result<Profile> kernels = OpenProfile(file.path(), {.only_kernels = true});
  ASSERT_TRUE(kernels.ok()) << kernels.error().message();
  EXPECT_EQ(kernels.value().info.format, "nsys_sqlite");
  const auto& summary = std::get<results::KernelSummary>(kernels.value().rows);
  std::vector<std::string> lines;
  for (const results::KernelSummaryRow& row : summary.rows) {
    lines.push_back(
        std::string(summary.names.text(row.name)) + " " + std::to_string(row.instances) +
        " " + std::to_string(row.time_total_ns) + " " + std::to_string(row.time_min_ns) +
        " " + std::to_string(row.time_max_ns));
  }
  EXPECT_THAT(lines, testing::UnorderedElementsAre("gemm 1 30 30 30", "copy 2 15 5 10"));
}

TEST_F(FormatsTest, RefuseDatabasesThatCannotBeReadInPlace) {
  Write(Gzipped(std::string("SQLite format 3\0", 16)));
  EXPECT_THAT(FormatOrError(), HasSubstr("write it to a file first"));
}

}  // namespace
}  // namespace ridgeline::profiles
