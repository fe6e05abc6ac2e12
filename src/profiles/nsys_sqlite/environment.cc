#include "profiles/nsys_sqlite/environment.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/secrets.h"

namespace ridgeline::profiles::nsys_sqlite {
namespace {

using results::NsysHeader;

constexpr std::string_view kLineEnds("\n\0", 2);

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// "API_KEY=abc" and API_KEY="abc" without the quotes; empty name: not an assignment.
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

bool IsBlanked(std::string_view value) {
  return value.empty() || value == kRedacted || value == "***";
}

// Calls found(assignment) for each line that is an assignment.
template <typename Found>
void ForEachAssignment(std::string_view block, Found found) {
  while (!block.empty()) {
    const size_t end = std::min(block.find_first_of(kLineEnds), block.size());
    const Assignment assignment = AssignmentOf(block.substr(0, end));
    if (!assignment.name.empty()) found(assignment);
    block.remove_prefix(std::min(end + 1, block.size()));
  }
}

// Every process has a block, and most variables are in all of them.
void CollectNames(std::string_view block, std::set<std::string, std::less<>>& names) {
  ForEachAssignment(block, [&](const Assignment& assignment) {
    if (!IsBlanked(assignment.value)) names.emplace(assignment.name);
  });
}

}  // namespace

bool IsEnvironmentBlock(std::string_view text) {
  // Real blocks have dozens of lines; three rule out a kernel name with a "=".
  constexpr int kFewest = 3;
  int assignments = 0;
  ForEachAssignment(text, [&](const Assignment&) { ++assignments; });
  return assignments >= kFewest;
}

std::string WithoutValues(std::string_view block) {
  std::string text;
  while (!block.empty()) {
    const size_t end = std::min(block.find_first_of(kLineEnds), block.size());
    const std::string_view line = block.substr(0, end);
    const Assignment assignment = AssignmentOf(line);
    // A line without a name continues a multi-line value, such as a key. So does one with
    // nothing but '=' after the name: the padding of base64.
    const bool is_named = !assignment.name.empty() &&
                          assignment.value.find_first_not_of('=') != std::string::npos;
    if (line.empty() || (!assignment.name.empty() && IsBlanked(assignment.value))) {
      text += line;
    } else if (is_named) {
      text += std::string(assignment.name) + "=" + std::string(kRedacted);
    } else {
      text += kRedacted;
    }
    if (end < block.size()) text += block[end];
    block.remove_prefix(std::min(end + 1, block.size()));
  }
  return text;
}

bool IsEnvironment(std::string_view table, std::string_view name,
                   std::string_view value) {
  if (table == "META_DATA_CAPTURE") return name.find("ENVIRONMENT_VARIABLE") != name.npos;
  if (table == "TARGET_INFO_SYSTEM_ENV") return name == "DeviceEnvironment";
  return IsEnvironmentBlock(value);
}

Status CountEnvironment(ExportFile& file, NsysHeader& header) {
  constexpr std::array<std::string_view, 2> kNameAndValue = {"name", "value"};
  std::set<std::string, std::less<>> names;
  for (const std::string_view table : kEnvironmentTables) {
    if (!file.HasTable(table)) continue;
    RIDGELINE_TRY(RowCursor rows, file.Scan(table, kNameAndValue));
    while (true) {
      RIDGELINE_TRY(const bool has_row, rows.Next());
      if (!has_row) break;
      const auto value = rows.Text(1);
      if (value && IsEnvironment(table, rows.Text(0).value_or(""), *value)) {
        CollectNames(*value, names);
      }
    }
  }
  header.environment_values = static_cast<int64_t>(names.size());
  header.environment_secrets = std::count_if(names.begin(), names.end(), NamesASecret);
  return Ok();
}

}  // namespace ridgeline::profiles::nsys_sqlite
