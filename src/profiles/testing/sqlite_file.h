// A temporary SQLite file for a test.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace ridgeline::profiles {

class SqliteFile {
 public:
  explicit SqliteFile(const std::string& name = "export")
      : path_(std::filesystem::path(testing::TempDir()) /
              (name + " #" + std::to_string(::getpid()) + "?.sqlite")) {
    std::filesystem::remove(path_);
    EXPECT_EQ(sqlite3_open(path_.c_str(), &database_), SQLITE_OK);
    Run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  }
  ~SqliteFile() {
    sqlite3_close(database_);
    std::filesystem::remove(path_);
  }
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  void Run(const std::string& sql) {
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK)
        << (message != nullptr ? message : "") << "\n"
        << sql;
    sqlite3_free(message);
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;  // With characters that are special in a URI.
  sqlite3* database_ = nullptr;
};

// Layout of nsys tables; `more`: columns of later versions, which nsys inserts in the
// middle: "greenContextId INTEGER,".
inline std::string KernelTableSql(const std::string& more = "") {
  return "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, "
         "deviceId INTEGER, contextId INTEGER, " +
         more +
         " streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName "
         "INTEGER, shortName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, "
         "blockX INTEGER, blockY INTEGER, blockZ INTEGER);";
}
inline constexpr char kRuntimeTableSql[] =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass "
    "INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);";
inline constexpr char kNvtxTableSql[] =
    "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, rangeId "
    "INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, "
    "domainId INTEGER);";
inline constexpr char kStringsTableSql[] =
    "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);";

}  // namespace ridgeline::profiles
