// A third-party SQLite file, read table by table.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "profiles/nsys_sqlite/table_scan.h"

namespace ridgeline::profiles::nsys_sqlite {

// SQLite's own row number, in every table created by nsys.
inline constexpr std::string_view kRowId = "rowid";

// The rows of a table or statement, one at a time. Views of texts are valid until the
// next row.
class RowCursor {
 public:
  // False after the last row.
  Result<bool> Next();

  // nullopt if the value is NULL or of another type.
  std::optional<int64_t> Integer(int column) const;
  // As stored: may not be UTF-8.
  std::optional<std::string_view> Text(int column) const;

  // For statements with parameters: restarts with ?1 bound.
  void Restart(int64_t parameter);

 private:
  friend class ExportFile;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  explicit RowCursor(sqlite3_stmt* statement) : statement_(statement) {}
  explicit RowCursor(TableScan scan) : scan_(std::move(scan)) {}

  // One of the two.
  std::optional<TableScan> scan_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

class ExportFile {
 public:
  static Result<ExportFile> Open(const std::filesystem::path& path);

  // Real tables only: a view could compute anything.
  const std::set<std::string>& tables() const { return tables_; }
  bool HasTable(std::string_view table) const;
  Result<std::set<std::string>> ColumnsOf(std::string_view table);
  // Whether the column is the rowid, by which SQLite finds a row immediately.
  Result<bool> IsRowId(std::string_view table, std::string_view column);

  // The named columns in order; NULL for missing ones. The table must exist.
  Result<RowCursor> Select(std::string_view table,
                           std::span<const std::string_view> columns,
                           std::string_view where = "");
  // The same from the first row to the last, which is faster without a statement; uses a
  // statement if the layout of the table does not allow that.
  Result<RowCursor> Scan(std::string_view table,
                         std::span<const std::string_view> columns);
  // Number of rows; reads all of them.
  Result<int64_t> Count(std::string_view table, std::string_view where = "");
  // Upper bound of the number of rows, without reading them.
  Result<int64_t> RowBound(std::string_view table);

 private:
  struct Closer {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };
  explicit ExportFile(sqlite3* database) : database_(database) {}
  Result<RowCursor> Prepare(const std::string& sql);
  Status ReadTables();
  Result<std::optional<std::vector<TableScan::Column>>> ScannedColumns(
      std::string_view table, std::span<const std::string_view> columns);
  Result<int64_t> RootOf(std::string_view table);

  std::unique_ptr<sqlite3, Closer> database_;
  std::optional<PageFile> pages_;
  std::set<std::string> tables_;
};

// Fails if the file is a database, but not an nsys export: an empty file, for example.
Result<ExportFile> OpenExport(const std::filesystem::path& path);

}  // namespace ridgeline::profiles::nsys_sqlite
