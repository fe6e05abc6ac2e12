#include "results/sqlite_database.h"

namespace ridgeline::results {
namespace {

Error SqliteError(sqlite3* database) {
  return {ErrorCode::kIo,
          std::string("SQLite: ") +
              (database != nullptr ? sqlite3_errmsg(database) : "out of memory")};
}

}  // namespace

SqliteStatement& SqliteStatement::Note(int code) {
  if (code != SQLITE_OK && failure_ == SQLITE_OK) failure_ = code;
  ++next_;
  return *this;
}

SqliteStatement& SqliteStatement::Bind(int64_t value) {
  return Note(sqlite3_bind_int64(statement_.get(), next_, value));
}

SqliteStatement& SqliteStatement::Bind(double value) {
  return Note(sqlite3_bind_double(statement_.get(), next_, value));
}

SqliteStatement& SqliteStatement::Bind(std::string_view value) {
  // A null pointer would bind NULL.
  const char* const text = value.empty() ? "" : value.data();
  return Note(sqlite3_bind_text64(statement_.get(), next_, text, value.size(),
                                  SQLITE_TRANSIENT, SQLITE_UTF8));
}

SqliteStatement& SqliteStatement::BindNull() {
  return Note(sqlite3_bind_null(statement_.get(), next_));
}

Status SqliteStatement::Run() {
  const int failure = failure_ != SQLITE_OK ? failure_ : sqlite3_step(statement_.get());
  const bool is_done = failure == SQLITE_DONE;
  const std::string message = is_done ? "" : sqlite3_errstr(failure);
  sqlite3_reset(statement_.get());
  next_ = 1;
  failure_ = SQLITE_OK;
  if (!is_done) return Error(ErrorCode::kIo, "SQLite: " + message);
  return Ok();
}

Result<SqliteDatabase> SqliteDatabase::CreateInMemory() {
  sqlite3* opened = nullptr;
  // Contiguous memory, unlike ":memory:": Bytes() need not assemble it.
  const int code = sqlite3_open_v2("results", &opened,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "memdb");
  SqliteDatabase database(opened);
  if (code != SQLITE_OK) return SqliteError(opened);
  sqlite3_int64 limit_bytes = sqlite3_int64{64} << 30;  // Not 1 GiB, the default.
  sqlite3_file_control(opened, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit_bytes);
  return database;
}

Status SqliteDatabase::Run(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) !=
      SQLITE_OK) {
    return SqliteError(database_.get());
  }
  return Ok();
}

Result<SqliteStatement> SqliteDatabase::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql.data(),
                                      static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return SqliteError(database_.get());
  return SqliteStatement(statement);
}

Result<std::string> SqliteDatabase::Bytes() {
  sqlite3_int64 size = 0;
  const unsigned char* const bytes =
      sqlite3_serialize(database_.get(), "main", &size, SQLITE_SERIALIZE_NOCOPY);
  if (bytes == nullptr) return SqliteError(database_.get());
  return std::string(bytes, bytes + size);
}

}  // namespace ridgeline::results
