#include "importers/nsys_sqlite/environment.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace ridgeline::importers::nsys_sqlite {
namespace {

using results::NsysHeader;

constexpr std::string_view kSecretWords[] = {"KEY",    "TOKEN",    "SECRET",
                                             "PASSWD", "PASSWORD", "CREDENTIAL"};

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// "API_KEY=abc" and API_KEY="abc" without the quotes; no name: no assignment.
struct Assignment {
  std::string_view name;
  std::string_view value;
};

Assignment AssignmentOf(std::string_view line) {
  const size_t equals = line.find('=');
  if (equals == 0 || equals == std::string_view::npos) return {};
  const std::string_view name = line.substr(0, equals);
  if (!std::all_of(name.begin(), name.end(), IsNameCharacter)) return {};
  std::string_view value = line.substr(equals + 1);
  while (!value.empty() && (value.back() == '"' || value.back() == '\r')) {
    value.remove_suffix(1);
  }
  if (!value.empty() && value.front() == '"') value.remove_prefix(1);
  return {name, value};
}

bool IsSecretName(std::string_view name) {
  std::string upper(name);
  for (char& c : upper)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return std::any_of(
      std::begin(kSecretWords), std::end(kSecretWords),
      [&](std::string_view word) { return upper.find(word) != upper.npos; });
}

bool IsBlanked(std::string_view value) {
  return value.empty() || value == "REDACTED" || value == "***";
}

// Calls found(assignment) for each line that is one.
template <typename Found>
void ForEachAssignment(std::string_view block, Found found) {
  while (!block.empty()) {
    const size_t end =
        std::min(block.find_first_of(std::string_view("\n\0", 2)), block.size());
    const Assignment assignment = AssignmentOf(block.substr(0, end));
    if (!assignment.name.empty()) found(assignment);
    block.remove_prefix(std::min(end + 1, block.size()));
  }
}

void CountBlock(std::string_view block, NsysHeader& header) {
  ForEachAssignment(block, [&](const Assignment& assignment) {
    if (IsBlanked(assignment.value)) return;
    ++header.environment_values;
    if (IsSecretName(assignment.name)) ++header.environment_secrets;
  });
}

// Column 0 says whether column 1 is counted.
template <typename IsCounted>
Status CountTable(RowCursor rows, NsysHeader& header, IsCounted is_counted) {
  while (true) {
    RIDGELINE_TRY(const bool has_row, rows.Next());
    if (!has_row) return Ok();
    const auto value = rows.Text(1);
    if (value && is_counted(rows.Text(0).value_or(""), *value)) {
      CountBlock(*value, header);
    }
  }
}

constexpr std::array<std::string_view, 2> kNameAndValue = {"name", "value"};

}  // namespace

bool IsEnvironmentBlock(std::string_view text) {
  // Real ones have dozens of lines; three tell it from a kernel's name with a "=".
  constexpr int kFewest = 3;
  int assignments = 0;
  ForEachAssignment(text, [&](const Assignment&) { ++assignments; });
  return assignments >= kFewest;
}

Status CountEnvironment(ExportFile& file, NsysHeader& header) {
  if (file.HasTable("META_DATA_CAPTURE")) {
    RIDGELINE_TRY(RowCursor rows, file.Select("META_DATA_CAPTURE", kNameAndValue));
    RIDGELINE_RETURN_IF_ERROR(CountTable(
        std::move(rows), header, [](std::string_view name, std::string_view /*value*/) {
          return name.find("ENVIRONMENT_VARIABLE") != name.npos;
        }));
  }
  if (file.HasTable("TARGET_INFO_SYSTEM_ENV")) {
    RIDGELINE_TRY(RowCursor rows, file.Select("TARGET_INFO_SYSTEM_ENV", kNameAndValue));
    RIDGELINE_RETURN_IF_ERROR(CountTable(
        std::move(rows), header, [](std::string_view name, std::string_view /*value*/) {
          return name == "DeviceEnvironment";
        }));
  }
  if (!file.HasTable("StringIds")) return Ok();
  RIDGELINE_TRY(RowCursor rows, file.Select("StringIds", kNameAndValue));
  return CountTable(std::move(rows), header,
                    [](std::string_view /*name*/, std::string_view value) {
                      return IsEnvironmentBlock(value);
                    });
}

}  // namespace ridgeline::importers::nsys_sqlite
