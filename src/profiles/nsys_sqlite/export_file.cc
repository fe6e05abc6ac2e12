#include "profiles/nsys_sqlite/export_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "os/file_source.h"
#include "os/files.h"

namespace ridgeline::profiles::nsys_sqlite {
namespace {

Error SqliteError(sqlite3* database) {
  const int code = database != nullptr ? sqlite3_errcode(database) : SQLITE_NOMEM;
  const bool is_broken = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
  return {is_broken ? ErrorCode::kParse : ErrorCode::kIo,
          std::string("SQLite: ") +
              (database != nullptr ? sqlite3_errmsg(database) : "out of memory") +
              std::string(is_broken ? kExportAgain : "")};
}

// "file:///a%20b.sqlite?immutable=1": immutable, so that SQLite creates no files next to
// it and requests no locks, which fail on read-only file systems.
std::string UriOf(const std::filesystem::path& path) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F && c != '%' && c != '?' && c != '#') {
      uri += c;
    } else {
      uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return uri + "?immutable=1";
}

// Whether a journal of this name contains changes left by a crash. SQLite empties or
// overwrites the first bytes of completed ones.
bool IsHotJournal(const std::filesystem::path& path) {
  constexpr std::string_view kJournalMagic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  Result<os::FileSource> file = os::FileSource::Open(path);
  if (!file.ok()) return false;
  std::array<char, kJournalMagic.size()> head = {};
  const Result<size_t> count = file.value().Read(head);
  return count.ok() && std::string_view(head.data(), count.value()) == kJournalMagic;
}

// Changes in a journal are not in the file, and `immutable` ignores journals.
Status CheckNoJournal(const std::filesystem::path& path) {
  const Result<std::filesystem::path> real = os::RealPath(path);
  if (!real.ok()) return Ok();  // SQLite reports the reason.
  const std::string file = real.value().string();
  const Result<int64_t> log_bytes = os::FileSize(file + "-wal");
  if (log_bytes.ok() && log_bytes.value() > 0) {
    return Error(ErrorCode::kParse,
                 "part of the export is still in its write-ahead log (" + file +
                     "-wal)\nhint: wait until nsys is done, or merge it: sqlite3 FILE "
                     "'PRAGMA wal_checkpoint(TRUNCATE)'");
  }
  if (IsHotJournal(file + "-journal")) {
    return Error(ErrorCode::kParse, "the export was not finished (" + file +
                                        "-journal)\nhint: wait until nsys is done, or "
                                        "export the report again");
  }
  return Ok();
}

// By the declared type of a column, by SQLite's rules.
bool HoldsFloats(std::string_view type) {
  std::string upper(type);
  for (char& c : upper) {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return upper.find("REAL") != upper.npos || upper.find("FLOA") != upper.npos ||
         upper.find("DOUB") != upper.npos;
}

std::string Quoted(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

bool IsTableOfNsys(std::string_view table) {
  return table.starts_with("TARGET_INFO_") || table.starts_with("CUPTI_ACTIVITY_KIND_") ||
         table.starts_with("META_DATA_") || table == "NVTX_EVENTS" ||
         table == "EXPORT_META_DATA" || table == "OSRT_API";
}

// Minimum contents of every export.
bool IsExport(const ExportFile& file) {
  return file.HasTable("StringIds") &&
         std::any_of(file.tables().begin(), file.tables().end(), IsTableOfNsys);
}

Error NoExport(const ExportFile& file) {
  std::string tables;
  for (const std::string& table : file.tables()) {
    if (tables.size() > 200) break;
    tables += (tables.empty() ? " " : ", ") + table;
  }
  return {ErrorCode::kParse, "an SQLite database, but not an nsys export; its tables:" +
                                 (tables.empty() ? " none" : tables)};
}

}  // namespace

Result<bool> RowCursor::Next() {
  if (scan_) return scan_->Next();
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return SqliteError(sqlite3_db_handle(statement_.get()));
}

std::optional<int64_t> RowCursor::Integer(int column) const {
  if (scan_) return scan_->Integer(column);
  // A single call that takes SQLite's lock, not two.
  sqlite3_value* const value = sqlite3_column_value(statement_.get(), column);
  if (sqlite3_value_type(value) != SQLITE_INTEGER) return {};
  return sqlite3_value_int64(value);
}

std::optional<std::string_view> RowCursor::Text(int column) const {
  if (scan_) return scan_->Text(column);
  const int type = sqlite3_column_type(statement_.get(), column);
  if (type != SQLITE_TEXT && type != SQLITE_BLOB) return {};
  const void* const bytes = sqlite3_column_blob(statement_.get(), column);
  const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column));
  if (bytes == nullptr) return std::string_view();
  return std::string_view(static_cast<const char*>(bytes), size);
}

void RowCursor::Restart(int64_t parameter) {
  sqlite3_reset(statement_.get());
  sqlite3_bind_int64(statement_.get(), 1, parameter);
}

Result<ExportFile> ExportFile::Open(const std::filesystem::path& path) {
  RIDGELINE_RETURN_IF_ERROR(CheckNoJournal(path));
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(
      UriOf(path).c_str(), &opened,
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  ExportFile file(opened);
  if (code != SQLITE_OK) return SqliteError(opened);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  RIDGELINE_RETURN_IF_ERROR(file.ReadTables());
  file.pages_ = PageFile::Of(opened);
  return file;
}

Result<ExportFile> OpenExport(const std::filesystem::path& path) {
  RIDGELINE_TRY(ExportFile file, ExportFile::Open(path));
  if (!IsExport(file)) return NoExport(file);
  return file;
}

Status ExportFile::ReadTables() {
  RIDGELINE_TRY(RowCursor rows,
                Prepare("SELECT name, type FROM sqlite_master WHERE (type = 'view' OR "
                        "type = 'table' AND rootpage > 0) AND name NOT LIKE "
                        "'sqlite\\_%' ESCAPE '\\'"));
  while (true) {
    RIDGELINE_TRY(const bool has_row, rows.Next());
    if (!has_row) return Ok();
    const auto name = rows.Text(0);
    if (!name) continue;
    if (rows.Text(1) == "table") {
      tables_.emplace(*name);
    } else if (IsTableOfNsys(*name) || name == "StringIds") {
      return Error(ErrorCode::kUnsupported,
                   std::string(*name) +
                       " is a view, not a table of nsys\nhint: export the report again, "
                       "or replace the view by a table: CREATE TABLE ... AS SELECT ...");
    }
  }
}

bool ExportFile::HasTable(std::string_view table) const {
  return tables_.contains(std::string(table));
}

Result<std::set<std::string>> ExportFile::ColumnsOf(std::string_view table) {
  RIDGELINE_TRY(RowCursor rows, Prepare("PRAGMA table_info(" + Quoted(table) + ")"));
  std::set<std::string> columns;
  while (true) {
    RIDGELINE_TRY(const bool has_row, rows.Next());
    if (!has_row) return columns;
    if (const auto name = rows.Text(1)) columns.emplace(*name);
  }
}

Result<bool> ExportFile::IsRowId(std::string_view table, std::string_view column) {
  RIDGELINE_TRY(RowCursor rows, Prepare("PRAGMA table_info(" + Quoted(table) + ")"));
  int key_columns = 0;
  bool is_key = false;
  while (true) {
    RIDGELINE_TRY(const bool has_row, rows.Next());
    if (!has_row) return is_key && key_columns == 1;
    const bool is_part = rows.Integer(5).value_or(0) > 0;
    key_columns += is_part ? 1 : 0;
    if (is_part && rows.Text(1) == column && rows.Text(2) == "INTEGER") is_key = true;
  }
}

Result<RowCursor> ExportFile::Select(std::string_view table,
                                     std::span<const std::string_view> columns,
                                     std::string_view where) {
  RIDGELINE_TRY(const std::set<std::string> existing, ColumnsOf(table));
  std::string sql;
  for (const std::string_view column : columns) {
    sql += sql.empty() ? "SELECT " : ", ";
    const bool is_there = column == kRowId || existing.contains(std::string(column));
    sql += is_there ? Quoted(column) : "NULL";
  }
  sql += " FROM " + Quoted(table);
  if (!where.empty()) sql += " WHERE " + std::string(where);
  return Prepare(sql);
}

Result<int64_t> ExportFile::Count(std::string_view table, std::string_view where) {
  std::string sql = "SELECT count(*) FROM " + Quoted(table);
  if (!where.empty()) sql += " WHERE " + std::string(where);
  RIDGELINE_TRY(RowCursor rows, Prepare(sql));
  RIDGELINE_TRY(const bool has_row, rows.Next());
  return has_row ? rows.Integer(0).value_or(0) : 0;
}

// nullopt if the stored values differ from those SQLite returns: numbers in a float
// column may be stored as integers, columns added later have defaults, and generated ones
// are not stored at all.
Result<std::optional<std::vector<TableScan::Column>>> ExportFile::ScannedColumns(
    std::string_view table, std::span<const std::string_view> columns) {
  using Columns = std::vector<TableScan::Column>;
  RIDGELINE_TRY(RowCursor rows, Prepare("PRAGMA table_xinfo(" + Quoted(table) + ")"));
  Columns scanned(columns.size());
  for (int position = 0;; ++position) {
    RIDGELINE_TRY(const bool has_row, rows.Next());
    if (!has_row) return std::optional<Columns>(std::move(scanned));
    const bool is_generated = rows.Integer(6).value_or(0) != 0;
    if (is_generated) return std::optional<Columns>();
    const auto wanted =
        std::find(columns.begin(), columns.end(), rows.Text(1).value_or(""));
    if (wanted == columns.end()) continue;
    const bool has_default = rows.Text(4).has_value();
    if (has_default || HoldsFloats(rows.Text(2).value_or(""))) {
      return std::optional<Columns>();
    }
    RIDGELINE_TRY(const bool is_row_id, IsRowId(table, *wanted));
    scanned[static_cast<size_t>(wanted - columns.begin())] = {position, is_row_id};
  }
}

Result<RowCursor> ExportFile::Scan(std::string_view table,
                                   std::span<const std::string_view> columns) {
  if (pages_) {
    RIDGELINE_TRY(const auto scanned, ScannedColumns(table, columns));
    RIDGELINE_TRY(const int64_t root, RootOf(table));
    if (scanned && root <= std::numeric_limits<uint32_t>::max()) {
      auto scan = TableScan::Open(*pages_, static_cast<uint32_t>(root), *scanned);
      if (scan) return RowCursor(std::move(*scan));
    }
  }
  return Select(table, columns, "");
}

Result<int64_t> ExportFile::RootOf(std::string_view table) {
  RIDGELINE_TRY(RowCursor rows,
                Prepare("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'"));
  while (true) {
    RIDGELINE_TRY(const bool has_row, rows.Next());
    if (!has_row) return 0;
    if (rows.Text(0) == table) return rows.Integer(1).value_or(0);
  }
}

Result<int64_t> ExportFile::RowBound(std::string_view table) {
  RIDGELINE_TRY(RowCursor rows, Prepare("SELECT max(rowid) FROM " + Quoted(table)));
  RIDGELINE_TRY(const bool has_row, rows.Next());
  return has_row ? rows.Integer(0).value_or(0) : 0;
}

Result<RowCursor> ExportFile::Prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql.data(),
                                      static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return SqliteError(database_.get());
  return RowCursor(statement);
}

}  // namespace ridgeline::profiles::nsys_sqlite
