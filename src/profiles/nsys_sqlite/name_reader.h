// Names of an export, each looked up once.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "profiles/nsys_sqlite/export_file.h"
#include "results/nsys_rows.h"

namespace ridgeline::profiles::nsys_sqlite {

// Reads only requested names: StringIds also contains the environment of the profiled
// process.
class NameReader {
 public:
  static Result<NameReader> Create(ExportFile& file, results::NsysRows& rows);

  // Invalid UTF-8 is replaced and counted.
  StringId Of(std::string_view text);
  // The text of StringIds with this id, "#12" if there is none.
  Result<StringId> OfId(int64_t id);
  // For a row that may have the id in either of two columns; "" and counted if in
  // neither.
  Result<StringId> OfEither(std::optional<int64_t> id, std::optional<int64_t> otherwise);

 private:
  explicit NameReader(results::NsysRows& rows) : rows_(&rows) {}
  Status ReadAll(ExportFile& file);

  results::NsysRows* rows_;
  std::optional<RowCursor> by_id_;  // nullopt: everything is already in ids_.
  std::unordered_map<int64_t, StringId> ids_;
  std::vector<StringId> shown_;  // By id: itself, or with U+FFFD.
};

}  // namespace ridgeline::profiles::nsys_sqlite
