// Compares scans with SQLite, row by row and value by value.
#include "profiles/nsys_sqlite/table_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "profiles/nsys_sqlite/export_file.h"
#include "profiles/testing/sqlite_file.h"

namespace ridgeline::profiles::nsys_sqlite {
namespace {

using testing::SizeIs;

constexpr std::array<std::string_view, 4> kColumns = {"id", "a", "b", "missing"};

// One text per row; the last one is the error, if any.
std::vector<std::string> RowsOf(Result<RowCursor> cursor) {
  if (!cursor.ok()) return {cursor.error().message()};
  std::vector<std::string> rows;
  while (true) {
    const Result<bool> has_row = cursor.value().Next();
    if (!has_row.ok()) rows.push_back("error: " + has_row.error().message());
    if (!has_row.ok() || !has_row.value()) return rows;
    std::string row;
    for (int i = 0; i < static_cast<int>(kColumns.size()); ++i) {
      const auto integer = cursor.value().Integer(i);
      const auto text = cursor.value().Text(i);
      row += integer ? std::to_string(*integer) : text ? "'" + std::string(*text) : "-";
      row += "|";
    }
    rows.push_back(row);
  }
}

struct BothWays {
  std::vector<std::string> scanned;
  std::vector<std::string> selected;
};

BothWays Read(const std::filesystem::path& path) {
  Result<ExportFile> file = ExportFile::Open(path);
  EXPECT_TRUE(file.ok());
  return {RowsOf(file.value().Scan("t", kColumns)),
          RowsOf(file.value().Select("t", kColumns, ""))};
}

TEST(TableScanTest, ReadsWhatSqliteReads) {
  struct Case {
    const char* what;
    std::string sql;
    size_t rows;
  };
  const Case cases[] = {
      {"an empty table", "CREATE TABLE t (a, b)", 0},
      {"integers of every width",
       "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b); INSERT INTO t (a, b) "
       "VALUES (0, 1), (-1, 127), (-128, 128), (32767, -32768), (8388607, -8388608), "
       "(2147483647, -2147483648), (140737488355327, -140737488355328), "
       "(9223372036854775807, -9223372036854775808)",
       8},
      {"other types",
       "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BLOB); INSERT INTO t VALUES "
       "(-7, 'text', x'00ff'), (1, '', x''), (2, NULL, 1.5), (99999999999, 'x', NULL)",
       4},
      {"a column of floats that holds integers",
       "CREATE TABLE t (a REAL, b INTEGER); INSERT INTO t VALUES (1, 2), (1.5, 3)", 2},
      {"columns that were added later",
       "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1); ALTER TABLE t "
       "ADD COLUMN a INTEGER; INSERT INTO t VALUES (2, 3); ALTER TABLE t ADD COLUMN b "
       "INTEGER DEFAULT 42; INSERT INTO t VALUES (4, 5, 6)",
       3},
      {"a generated column before the others",
       "CREATE TABLE t (g INTEGER AS (a + 1), a INTEGER, b INTEGER); INSERT INTO t (a, "
       "b) VALUES (1, 2)",
       1},
      {"rows without numbers",
       "CREATE TABLE t (a INTEGER PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO t VALUES "
       "(2, 'two'), (1, 'one')",
       2},
      {"texts in UTF-16",
       "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (a TEXT, b INTEGER); INSERT INTO t "
       "VALUES ('text', 1)",
       1},
      {"a write-ahead log",
       "PRAGMA journal_mode = WAL; CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2); "
       "PRAGMA wal_checkpoint(TRUNCATE)",
       1},
      {"the largest pages",
       "PRAGMA page_size = 65536; CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2)", 1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    SqliteFile file("table_scan");
    file.Run(c.sql);
    const BothWays got = Read(file.path());
    EXPECT_THAT(got.selected, SizeIs(c.rows));
    EXPECT_EQ(got.scanned, got.selected);
  }
}

// Trees of several levels, and rows that span several pages.
TEST(TableScanTest, ReadsLargeTablesOfSmallPages) {
  for (const int page_bytes : {512, 4096}) {
    SCOPED_TRACE(page_bytes);
    SqliteFile file("table_scan");
    std::mt19937 dice(1);
    std::string sql = "PRAGMA page_size = " + std::to_string(page_bytes) +
                      "; CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); BEGIN;";
    for (int i = 0; i < 3000; ++i) {
      const size_t length = dice() % 20 == 0 ? dice() % 20'000 : dice() % 60;
      sql += "INSERT INTO t VALUES (" + std::to_string(i * 7 % 3001) + ", '" +
             std::string(length, static_cast<char>('a' + i % 26)) + "', " +
             std::to_string(static_cast<int64_t>(dice()) << (dice() % 32)) + ");";
    }
    file.Run(sql + "COMMIT; DELETE FROM t WHERE id % 5 = 0");
    const BothWays got = Read(file.path());
    EXPECT_THAT(got.selected, SizeIs(testing::Gt(2000U)));
    EXPECT_TRUE(got.scanned == got.selected);
  }
}

// Changes each byte of a small file in turn, all of them where pages begin: must give
// rows or an error, and always terminate.
TEST(TableScanTest, EndsWhateverTheBytesAre) {
  SqliteFile file("table_scan");
  file.Run(
      "PRAGMA page_size = 512; CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); WITH "
      "RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT "
      "INTO t SELECT i, i * 1000, CASE WHEN i % 20 THEN 'x' ELSE hex(zeroblob(400)) END "
      "FROM n");
  std::ifstream stream(file.path(), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  const std::filesystem::path changed = file.path().string() + ".changed";
  size_t refused = 0;
  for (size_t at = 100; at < bytes.size(); at += at % 512 < 16 ? 1 : 13) {
    for (const char value : {'\0', '\xff'}) {
      std::string other = bytes;
      other[at] = value;
      std::ofstream(changed, std::ios::binary) << other;
      Result<ExportFile> opened = ExportFile::Open(changed);
      if (!opened.ok() || !opened.value().HasTable("t")) continue;
      const auto rows = RowsOf(opened.value().Scan("t", kColumns));
      if (!rows.empty() && rows.back().starts_with("error: ")) ++refused;
    }
  }
  EXPECT_GT(refused, 0U);
  std::ofstream(changed, std::ios::binary) << bytes.substr(0, bytes.size() - 512);
  EXPECT_FALSE(ExportFile::Open(changed).ok());
  std::filesystem::remove(changed);
}

}  // namespace
}  // namespace ridgeline::profiles::nsys_sqlite
