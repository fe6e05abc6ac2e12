#include "profiles/nsys_sqlite/name_reader.h"

#include <array>
#include <string>

#include "base/utf8.h"
#include "profiles/nsys_sqlite/environment.h"

namespace ridgeline::profiles::nsys_sqlite {
namespace {

using results::DropReason;

constexpr std::string_view kStringTable = "StringIds";
constexpr std::array<std::string_view, 2> kStringColumns = {"id", "value"};

}  // namespace

Result<NameReader> NameReader::Create(ExportFile& file, results::NsysRows& rows) {
  NameReader reader(rows);
  if (!file.HasTable(kStringTable)) return reader;
  RIDGELINE_TRY(const bool is_quick, file.IsRowId(kStringTable, "id"));
  if (!is_quick) {
    // The table was copied without its key.
    RIDGELINE_RETURN_IF_ERROR(reader.ReadAll(file));
    return reader;
  }
  RIDGELINE_TRY(RowCursor by_id, file.Select(kStringTable, kStringColumns, "id = ?1"));
  reader.by_id_ = std::move(by_id);
  return reader;
}

Status NameReader::ReadAll(ExportFile& file) {
  RIDGELINE_TRY(RowCursor strings, file.Scan(kStringTable, kStringColumns));
  while (true) {
    RIDGELINE_TRY(const bool has_row, strings.Next());
    if (!has_row) return Ok();
    const auto id = strings.Integer(0);
    const auto text = strings.Text(1);
    if (!id || !text || IsEnvironmentBlock(*text)) continue;
    ids_.emplace(*id, Of(*text));
  }
}

StringId NameReader::Of(std::string_view text) {
  const StringId id = rows_->names.Intern(text);
  if (id < shown_.size()) return shown_[id];
  shown_.push_back(id);
  if (IsValidUtf8(text)) return id;
  rows_->left_out.Add(DropReason::kNameNotUtf8);
  const StringId shown = Of(ReplaceBrokenUtf8(text));
  shown_[id] = shown;
  return shown;
}

Result<StringId> NameReader::OfId(int64_t id) {
  const auto known = ids_.find(id);
  if (known != ids_.end()) return known->second;
  std::optional<StringId> name;
  if (by_id_) {
    by_id_->Restart(id);
    RIDGELINE_TRY(const bool has_row, by_id_->Next());
    const auto text = has_row ? by_id_->Text(1) : std::nullopt;
    if (text) name = Of(*text);
  }
  if (!name) {
    rows_->left_out.Add(DropReason::kRowNameUnknown);
    name = Of("#" + std::to_string(id));
  }
  ids_.emplace(id, *name);
  return *name;
}

Result<StringId> NameReader::OfEither(std::optional<int64_t> id,
                                      std::optional<int64_t> otherwise) {
  if (id) return OfId(*id);
  if (otherwise) return OfId(*otherwise);
  rows_->left_out.Add(DropReason::kNameMissing);
  return Of("");
}

}  // namespace ridgeline::profiles::nsys_sqlite
