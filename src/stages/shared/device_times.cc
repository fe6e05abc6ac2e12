#include "stages/shared/device_times.h"

#include <algorithm>

#include "analysis/trace_findings.h"

namespace ridgeline::stages {

std::vector<report::OperatorDeviceTime> DeviceTimesOf(const results::TraceRows& rows) {
  std::vector<report::OperatorDeviceTime> times;
  if (rows.gpu_activities.empty()) return times;
  for (const results::OperatorTotal& op : analysis::FindingsOf(rows).operators) {
    if (op.gpu_self_ns.value_or(0) == 0) continue;
    times.push_back({std::string(rows.names.text(op.name)), op.calls, *op.gpu_self_ns});
  }
  std::stable_sort(times.begin(), times.end(),
                   [](const auto& a, const auto& b) { return a.self_ns > b.self_ns; });
  return times;
}

}  // namespace ridgeline::stages
