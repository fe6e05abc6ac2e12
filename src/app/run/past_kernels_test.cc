#include "app/run/past_kernels.h"

#include <gmock/gmock.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;
using artifacts::State;

class PastKernelsTest : public testing::Test {
 protected:
  PastKernelsTest() {
    fs::remove_all(root_);
    fs::create_directories(root_ / "nsys");
    manifest_.stages.resize(1);
    manifest_.stages[0].name = "nsys";
    manifest_.stages[0].state = State::kDone;
  }
  ~PastKernelsTest() override { fs::remove_all(root_); }

  void MakeExport(const std::string& name, const std::string& rows) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((root_ / "nsys" / name).c_str(), &database), SQLITE_OK);
    const std::string sql =
        "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
        "INSERT INTO StringIds VALUES (1, 'gemm<(int)2>(T1 *)'), (2, 'copy');"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId "
        "INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid "
        "INTEGER, demangledName INTEGER, shortName INTEGER, gridX INTEGER, gridY "
        "INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER);" +
        rows;
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
  }
  std::vector<std::string> Found(const std::vector<std::string>& ranges = {}) {
    runs::RunProfiles profiles;
    PastKernels past(manifest_, run_dir_, profiles);
    const auto kernels = past.Kernels(ranges);
    EXPECT_TRUE(kernels.ok()) << kernels.error().message();
    std::vector<std::string> lines;
    for (const pipeline::KernelTime& kernel : kernels.value()) {
      lines.push_back(kernel.name + " " + std::to_string(kernel.launches) + " " +
                      std::to_string(kernel.time_ns));
    }
    return lines;
  }

  // Unique, because tests run concurrently.
  const fs::path root_ = fs::path(testing::TempDir()) /
                         ("ridgeline-past-kernels-" + std::to_string(::getpid()));
  const artifacts::RunDir run_dir_{root_};
  artifacts::Manifest manifest_;
};

constexpr char kInsert[] =
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, "
    "correlationId, globalPid, demangledName, shortName) VALUES ";

TEST_F(PastKernelsTest, AddsUpAllExportsOfTheRun) {
  MakeExport(
      "run.1.sqlite",
      std::string(kInsert) + "(0, 10, 0, 7, 1, 1, 2, 2), (20, 50, 0, 7, 2, 1, 1, 1);");
  MakeExport("run.2.sqlite", std::string(kInsert) + "(0, 5, 0, 7, 1, 1, 2, 2);");
  EXPECT_THAT(Found(), testing::ElementsAre("gemm<(int)2>(T1 *) 1 30", "copy 2 15"));
}

TEST_F(PastKernelsTest, TakesThoseOfTheRangeIfItHasAny) {
  MakeExport(
      "run.sqlite",
      "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text "
      "TEXT, "
      "globalTid INTEGER, textId INTEGER, domainId INTEGER);"
      "INSERT INTO NVTX_EVENTS VALUES (0, 90, 59, 'prefill', 1, NULL, 0), "
      "(100, 200, 59, 'decode', 1, NULL, 0), (110, 150, 59, 'step', 1, NULL, 0);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid "
      "INTEGER, correlationId INTEGER, nameId INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 11, 1, 1, 2), "
      "(120, 121, 1, 2, 2), (160, 161, 1, 3, 2);" +
          std::string(kInsert) +
          "(20, 50, 0, 7, 1, 0, 1, 1), (130, 140, 0, 7, 2, 0, 2, 2), "
          "(170, 175, 0, 7, 3, 0, 2, 2);");
  EXPECT_THAT(Found({"decode"}), testing::ElementsAre("copy 2 15"));
  EXPECT_THAT(Found({"st*"}), testing::ElementsAre("copy 1 10"));
  EXPECT_THAT(Found({"warmup"}), testing::SizeIs(2));
  EXPECT_THAT(Found(), testing::SizeIs(2));
}

TEST_F(PastKernelsTest, HasNoneWithoutKernelsOrWithoutNsys) {
  EXPECT_THAT(Found(), testing::IsEmpty());
  MakeExport("run.sqlite", "");
  EXPECT_THAT(Found(), testing::IsEmpty());
  MakeExport("run.1.sqlite", std::string(kInsert) + "(0, 10, 0, 7, 1, 1, 2, 2);");
  EXPECT_THAT(Found(), testing::SizeIs(1));
  manifest_.stages[0].state = State::kFailed;
  EXPECT_THAT(Found(), testing::IsEmpty());
  manifest_.stages.clear();
  EXPECT_THAT(Found(), testing::IsEmpty());
}

}  // namespace
}  // namespace ridgeline::app
