#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "analysis/kernel_kind.h"
#include "report/sections/run_report_parts.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;
using analysis::KernelKind;

constexpr double kSecond = 1e9;

struct KindTotal {
  KernelKind kind = KernelKind::kOther;
  std::set<StringId> kernels;
  int64_t launches = 0;
  int64_t time_total_ns = 0;
};

using KindTotals = std::map<KernelKind, KindTotal>;

std::map<results::SourceId, KindTotals> TotalsOf(const results::ResultStore& store) {
  std::map<results::SourceId, KindTotals> totals;
  std::map<StringId, KernelKind> kinds;  // Each name is looked at once.
  for (const results::GpuTotal& kernel : store.kernel_totals) {
    const auto [known, is_new] = kinds.try_emplace(kernel.name);
    if (is_new) known->second = analysis::KindOf(store.names.text(kernel.name));
    KindTotal& total = totals[store.devices[kernel.device].source][known->second];
    total.kind = known->second;
    total.kernels.insert(kernel.name);
    total.launches += kernel.count;
    total.time_total_ns += kernel.time_total_ns;
  }
  return totals;
}

}  // namespace

Json KernelKindsJson(const results::ResultStore& store) {
  Json rows = Json::array();
  for (const auto& [source, totals] : TotalsOf(store)) {
    std::vector<const KindTotal*> order;
    double all_ns = 0;
    for (const auto& [kind, total] : totals) {
      order.push_back(&total);
      all_ns += static_cast<double>(total.time_total_ns);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
      return a->time_total_ns > b->time_total_ns;
    });
    for (const KindTotal* total : order) {
      const auto time_ns = static_cast<double>(total->time_total_ns);
      rows.push_back({{"source", store.sources[source].file},
                      {"kind", NameOf(total->kind)},
                      {"kernels", total->kernels.size()},
                      {"launches", total->launches},
                      {"total_s", time_ns / kSecond},
                      {"share", all_ns > 0 ? Json(time_ns / all_ns) : Json()}});
    }
  }
  return rows;
}

}  // namespace ridgeline::report
