#include "profiles/ncu_csv/columns.h"

#include <string_view>

namespace ridgeline::profiles {
namespace {

using results::NcuForm;

struct KnownColumn {
  std::string_view name;
  ColumnIndex NcuColumns::*column;  // nullptr: ignored.
};

constexpr KnownColumn kKnownColumns[] = {
    {"ID", &NcuColumns::id},
    {"Process ID", &NcuColumns::process_id},
    {"Process Name", &NcuColumns::process},
    {"Host Name", &NcuColumns::host},
    {"Kernel Name", &NcuColumns::kernel},
    {"Kernel Time", nullptr},
    {"Context", &NcuColumns::context},
    {"Stream", &NcuColumns::stream},
    {"Block Size", &NcuColumns::block},
    {"Grid Size", &NcuColumns::grid},
    {"Device", &NcuColumns::device},
    {"CC", &NcuColumns::capability},
    {"Invocations", &NcuColumns::launches},
    {"Section Name", &NcuColumns::section},
    {"Body Item Label", &NcuColumns::item},
    {"Metric Name", &NcuColumns::metric},
    {"Metric Unit", &NcuColumns::unit},
    {"Metric Value", &NcuColumns::value},
    {"Minimum", &NcuColumns::value_min},
    {"Maximum", &NcuColumns::value_max},
    {"Average", &NcuColumns::value},
    {"Rule Name", &NcuColumns::rule},
    {"Rule Type", &NcuColumns::rule_kind},
    {"Rule Description", &NcuColumns::rule_text},
    {"Estimated Speedup Type", &NcuColumns::speedup_kind},
    {"Estimated Speedup", &NcuColumns::speedup},
};

// "thread Domain:Push/Pop_Range:PL_Type:...", "Id:Domain:Start/Stop_Range:..."
bool IsNvtx(std::string_view name) {
  return name.find("Push/Pop_Range") != name.npos ||
         name.find("Start/Stop_Range") != name.npos;
}

const KnownColumn* FindKnown(std::string_view name) {
  for (const KnownColumn& known : kKnownColumns) {
    if (known.name == name) return &known;
  }
  return nullptr;
}

void AddColumn(const std::string& name, size_t index, NcuColumns& columns) {
  columns.names.push_back(name);
  if (IsNvtx(name)) {
    columns.nvtx.push_back(index);
  } else if (const KnownColumn* const known = FindKnown(name); known == nullptr) {
    columns.wide_metrics.push_back(index);
  } else if (known->column != nullptr && !(columns.*known->column)) {
    columns.*known->column = index;
  }
}

}  // namespace

std::optional<NcuColumns> ColumnsOf(const std::vector<std::string>& fields) {
  constexpr size_t kFewest = 5;
  if (fields.size() < kFewest || (fields[0] != "ID" && fields[0] != "Process ID")) {
    return {};
  }
  NcuColumns columns = {.count = fields.size()};
  for (size_t i = 0; i < fields.size(); ++i) AddColumn(fields[i], i, columns);
  if (!columns.kernel || !columns.process_id) return {};
  if (columns.metric) {
    if (!columns.value || !columns.unit) return {};
    columns.form = columns.id ? NcuForm::kLong : NcuForm::kSummary;
    return columns;
  }
  if (!columns.id) return {};
  columns.form = NcuForm::kWide;
  return columns;
}

}  // namespace ridgeline::profiles
