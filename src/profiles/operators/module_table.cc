#include <algorithm>
#include <map>
#include <tuple>

#include "profiles/operators/operator_profile.h"

namespace ridgeline::profiles {

std::vector<ModuleRow> ModuleTable(const Recording& recording) {
  std::vector<ModuleRow> rows(recording.scopes.size());
  for (const RecordedThread& thread : recording.threads) {
    thread.events.ForEach([&rows](const Event& event) {
      if (event.kind != EventKind::kOperator) return;
      ModuleRow& row = rows[event.scope];
      ++row.calls;
      row.self_ns += event.self_ns;
      row.bytes_self += event.bytes_self;
      row.flops += event.flops;
    });
  }
  // A path may have two ids.
  std::map<std::string, ModuleRow> by_path;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].calls == 0) continue;
    ModuleRow& sum = by_path[recording.scopes[i]];
    sum.module = recording.scopes[i];
    sum.calls += rows[i].calls;
    sum.self_ns += rows[i].self_ns;
    sum.bytes_self += rows[i].bytes_self;
    sum.flops += rows[i].flops;
  }
  std::vector<ModuleRow> table;
  for (auto& [path, row] : by_path) table.push_back(std::move(row));
  std::sort(table.begin(), table.end(), [](const ModuleRow& a, const ModuleRow& b) {
    return std::tie(b.self_ns, a.module) < std::tie(a.self_ns, b.module);
  });
  return table;
}

}  // namespace ridgeline::profiles
