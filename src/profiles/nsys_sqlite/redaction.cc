#include <sqlite3.h>

#include <memory>
#include <string>
#include <vector>

#include "base/secrets.h"
#include "profiles/nsys_sqlite/contents.h"
#include "profiles/nsys_sqlite/environment.h"
#include "profiles/nsys_sqlite/export_file.h"

namespace ridgeline::profiles {
namespace {

namespace fs = std::filesystem;
using nsys_sqlite::ExportFile;
using nsys_sqlite::RowCursor;

// A row whose value must be replaced.
struct Exposed {
  int64_t row = 0;
  std::string redacted;
};

Result<std::vector<Exposed>> FindExposed(ExportFile& file, std::string_view table) {
  constexpr std::string_view kColumns[] = {"name", "value", nsys_sqlite::kRowId};
  std::vector<Exposed> exposed;
  if (!file.HasTable(table)) return exposed;
  RIDGELINE_TRY(RowCursor rows, file.Select(table, kColumns));
  while (true) {
    RIDGELINE_TRY(const bool has_row, rows.Next());
    if (!has_row) return exposed;
    const auto value = rows.Text(1);
    if (!value) continue;
    // Everything else may be the command line.
    const bool is_environment =
        nsys_sqlite::IsEnvironment(table, rows.Text(0).value_or(""), *value);
    std::string redacted =
        is_environment ? nsys_sqlite::WithoutValues(*value) : WithoutSecrets(*value);
    if (redacted != *value) {
      exposed.push_back({rows.Integer(2).value_or(0), std::move(redacted)});
    }
  }
}

// The same file, opened for writing.
class Writer {
 public:
  static Result<Writer> Open(const fs::path& path) {
    sqlite3* database = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE,
                                     /*zVfs=*/nullptr);
    Writer writer(database);
    if (code != SQLITE_OK) return writer.Failure();
    // No other process uses the file, and after a crash it is exported from the report
    // again.
    RIDGELINE_RETURN_IF_ERROR(writer.Run("PRAGMA journal_mode=OFF; BEGIN"));
    return writer;
  }

  Status Set(std::string_view table, const Exposed& exposed) {
    const std::string sql =
        "UPDATE \"" + std::string(table) + "\" SET value=?1 WHERE rowid=?2";
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr) !=
        SQLITE_OK) {
      return Failure();
    }
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owned(statement,
                                                                      sqlite3_finalize);
    sqlite3_bind_text(statement, 1, exposed.redacted.data(),
                      static_cast<int>(exposed.redacted.size()), SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, exposed.row);
    return sqlite3_step(statement) == SQLITE_DONE ? Ok() : Status(Failure());
  }
  // Pages keep the bytes of rows that were moved or replaced, even by nsys itself; a new
  // file contains only the rows.
  Status Finish() { return Run("COMMIT; VACUUM"); }

 private:
  struct Closer {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };
  explicit Writer(sqlite3* database) : database_(database) {}

  Status Run(const char* sql) {
    const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
    return code == SQLITE_OK ? Ok() : Status(Failure());
  }
  Error Failure() const {
    return {ErrorCode::kIo,
            std::string("redaction failed: ") + sqlite3_errmsg(database_.get())};
  }

  std::unique_ptr<sqlite3, Closer> database_;
};

}  // namespace

Result<Redaction> RedactNsysExport(const fs::path& path) {
  results::NsysHeader before;
  std::vector<std::vector<Exposed>> exposed;
  {
    RIDGELINE_TRY(ExportFile file, ExportFile::Open(path));
    RIDGELINE_RETURN_IF_ERROR(nsys_sqlite::CountEnvironment(file, before));
    for (const std::string_view table : nsys_sqlite::kEnvironmentTables) {
      RIDGELINE_TRY(exposed.emplace_back(), FindExposed(file, table));
    }
  }
  RIDGELINE_TRY(Writer writer, Writer::Open(path));
  for (size_t i = 0; i < exposed.size(); ++i) {
    for (const Exposed& row : exposed[i]) {
      RIDGELINE_RETURN_IF_ERROR(writer.Set(nsys_sqlite::kEnvironmentTables[i], row));
    }
  }
  RIDGELINE_RETURN_IF_ERROR(writer.Finish());
  return Redaction{before.environment_values, before.environment_secrets};
}

}  // namespace ridgeline::profiles
