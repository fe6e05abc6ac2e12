#include <algorithm>
#include <map>
#include <tuple>

#include "profiles/operators/operator_profile.h"

namespace ridgeline::profiles {
namespace {

OperatorTotals Sum(const Recording& recording) {
  OperatorTotals sum;
  for (const RecordedThread& thread : recording.threads) {
    sum.Add(thread.lost);
    thread.events.ForEach([&sum](const Event& event) { sum.Add(event); });
  }
  return sum;
}

}  // namespace

std::vector<OperatorRow> OperatorTable(const Recording& recording, GroupBy group_by) {
  // By text, because ids differ between threads.
  std::map<std::pair<std::string, std::optional<std::string>>, OperatorTotal> groups;
  Sum(recording).ForEach([&](OperatorTotals::Key key, const OperatorTotal& total) {
    std::optional<std::string> shapes;
    if (group_by == GroupBy::kNameAndShapes) shapes = recording.shapes[key.shapes].sizes;
    groups[{recording.names[key.name], std::move(shapes)}] += total;
  });
  std::vector<OperatorRow> rows;
  for (const auto& [key, total] : groups) rows.push_back({key.first, key.second, total});
  std::sort(rows.begin(), rows.end(), [](const OperatorRow& a, const OperatorRow& b) {
    return std::tie(b.total.self_ns, a.name, a.shapes) <
           std::tie(a.total.self_ns, b.name, b.shapes);
  });
  return rows;
}

}  // namespace ridgeline::profiles
