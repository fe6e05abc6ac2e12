// RAII wrappers for SQLite that return Result.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::results {

// A statement and the index of the next value. Usage:
//   insert.Bind(name).Bind(calls);  RIDGELINE_RETURN_IF_ERROR(insert.Run());
// Run() returns errors of the preceding calls.
class SqliteStatement {
 public:
  SqliteStatement& Bind(int64_t value);
  SqliteStatement& Bind(double value);
  // Copied.
  SqliteStatement& Bind(std::string_view value);
  template <typename T>
  SqliteStatement& Bind(const std::optional<T>& value) {
    return value ? Bind(*value) : BindNull();
  }
  SqliteStatement& BindNull();

  // For statements without result rows; afterwards the next values may be bound.
  Status Run();

 private:
  friend class SqliteDatabase;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  explicit SqliteStatement(sqlite3_stmt* statement) : statement_(statement) {}
  SqliteStatement& Note(int code);

  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
  int next_ = 1;
  int failure_ = SQLITE_OK;
};

// A database in memory.
class SqliteDatabase {
 public:
  static Result<SqliteDatabase> CreateInMemory();

  Status Run(const std::string& sql);
  Result<SqliteStatement> Prepare(std::string_view sql);

  // The contents of a file with this database.
  Result<std::string> Bytes();

 private:
  struct Closer {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };
  explicit SqliteDatabase(sqlite3* database) : database_(database) {}

  std::unique_ptr<sqlite3, Closer> database_;
};

// The tables of results.sqlite, as SQL; docs/results-schema.md explains them. Later
// versions add tables, and columns at the end of tables; existing ones keep their name
// and meaning.
extern const char* const kResultsSchema;

}  // namespace ridgeline::results
