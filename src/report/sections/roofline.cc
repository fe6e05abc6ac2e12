#include <algorithm>
#include <vector>

#include "estimates/efficiency.h"
#include "report/json_parts.h"
#include "report/sections/run_report_parts.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;
using analysis::NcuLaunchFinding;

// Longest launches of ncu.
constexpr size_t kMostLaunches = 100;
constexpr size_t kMostOperators = 50;

Json CountOrNull(const cost::Count& count) {
  return count.is_exact() ? Json(count.value()) : Json();
}

// Nothing without FLOPs or bytes: it has no place in a roofline.
std::optional<Json> Point(const std::string& name, const char* kind, double flops,
                          double bytes, double seconds, const cost::RoofRates& roofs) {
  if (!(flops > 0) || !(bytes > 0) || !(seconds > 0)) return std::nullopt;
  const double flops_per_byte = flops / bytes;
  const double flops_per_s = flops / seconds;
  Json share;
  if (roofs.flops_per_s && roofs.bytes_per_s) {
    share =
        flops_per_s / std::min(*roofs.flops_per_s, flops_per_byte * *roofs.bytes_per_s);
  }
  return Json({{"name", CutText(name)},
               {"kind", kind},
               {"precision", nullptr},
               {"level", "dram"},
               {"flops_per_byte", flops_per_byte},
               {"flops_per_s", flops_per_s},
               {"share_of_roof", share},
               {"time_s", seconds}});
}

// Phases and regions of the built-in model; their cost is known in closed form.
Json ModelRoofline(const RunFacts& facts) {
  const estimates::MeasuredRun none;
  const estimates::MeasuredRun& run = facts.measured ? *facts.measured : none;
  Json points = Json::array();
  const auto add = [&points](const std::optional<Json>& point) {
    if (point) points.push_back(*point);
  };
  for (const estimates::PhaseTotal& total : run.totals) {
    if (total.name == "page") continue;  // Its phases have different bounds.
    add(Point(total.name, "phase", total.cost.flops_matrix().executed.as_double(),
              total.cost.bytes.unavoidable().as_double(), total.seconds, run.roofs));
  }
  for (const results::RegionRoof& roof : facts.store.region_roofs) {
    add(Point(roof.path, "region", static_cast<double>(roof.flops),
              static_cast<double>(roof.bytes), Seconds(roof.time_ns), run.roofs));
  }
  if (points.empty()) return {};
  Json compute = Json::array();
  Json memory = Json::array();
  if (run.roofs.flops_per_s) {
    compute.push_back({{"name", "compute"}, {"flops_per_s", *run.roofs.flops_per_s}});
  }
  if (run.roofs.bytes_per_s) {
    memory.push_back({{"name", "dram"}, {"bytes_per_s", *run.roofs.bytes_per_s}});
  }
  return {{"source", "static_analysis"},
          {"device", TextOrNull(run.device)},
          {"compute", compute},
          {"memory", memory},
          {"points", points}};
}

// Indexes of launches, the longest first.
std::vector<size_t> LongestLaunches(const NcuFacts& ncu) {
  std::vector<size_t> order(ncu.findings.launches.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&ncu](size_t a, size_t b) {
    return ncu.findings.launches[a].kernel.duration_ns.value_or(0) >
           ncu.findings.launches[b].kernel.duration_ns.value_or(0);
  });
  if (order.size() > kMostLaunches) order.resize(kMostLaunches);
  return order;
}

std::string KernelName(const NcuFacts& ncu, size_t launch) {
  return CutText(ncu.rows.names.text(ncu.rows.launches[launch].kernel));
}

Json NcuPoints(const NcuFacts& ncu) {
  Json points = Json::array();
  for (const size_t i : LongestLaunches(ncu)) {
    const NcuLaunchFinding& launch = ncu.findings.launches[i];
    Json seconds;
    if (launch.kernel.duration_ns) seconds = *launch.kernel.duration_ns / 1e9;
    for (const analysis::NcuPoint& point : launch.points) {
      points.push_back({{"name", KernelName(ncu, i)},
                        {"kind", "kernel"},
                        {"precision", NameOf(point.precision)},
                        {"level", NameOf(point.level)},
                        {"flops_per_byte", point.flops_per_byte},
                        {"flops_per_s", point.flops_per_s},
                        {"share_of_roof", OrNull(point.share_of_roof)},
                        {"time_s", seconds}});
    }
  }
  return points;
}

Json NcuRoofline(const NcuFacts& ncu) {
  Json points = NcuPoints(ncu);
  if (points.empty()) return {};
  Json compute = Json::array();
  for (const analysis::NcuPrecision precision : analysis::kNcuPrecisions) {
    const std::optional<double>& roof = ncu.findings.roofs.flops_per_s[precision];
    if (roof) compute.push_back({{"name", NameOf(precision)}, {"flops_per_s", *roof}});
  }
  Json memory = Json::array();
  for (const analysis::MemoryLevel level : analysis::kMemoryLevels) {
    const std::optional<double>& roof = ncu.findings.roofs.Of(level);
    if (roof) memory.push_back({{"name", NameOf(level)}, {"bytes_per_s", *roof}});
  }
  return {{"source", ncu.source},
          {"device", TextOrNull(ncu.findings.launches.front().kernel.device_name)},
          {"compute", compute},
          {"memory", memory},
          {"points", points}};
}

Json ShapeText(const std::optional<results::NcuShape>& shape) {
  if (!shape) return {};
  const auto& [x, y, z] = *shape;
  return std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z);
}

Json LaunchJson(const NcuFacts& ncu, size_t i) {
  const results::NcuLaunch& row = ncu.rows.launches[i];
  const NcuLaunchFinding& launch = ncu.findings.launches[i];
  const analysis::NcuKernel& kernel = launch.kernel;
  Json rules = Json::array();
  for (const results::NcuRule& rule : row.rules) {
    rules.push_back({{"kind", std::string(ncu.rows.names.text(rule.kind))},
                     {"text", CutText(ncu.rows.names.text(rule.text))},
                     {"speedup_percent", OrNull(rule.speedup_percent)}});
  }
  Json seconds;
  if (kernel.duration_ns) seconds = *kernel.duration_ns / 1e9;
  return {{"source", ncu.source},
          {"name", KernelName(ncu, i)},
          {"launch", OrNull(row.id)},
          {"grid", ShapeText(row.grid)},
          {"block", ShapeText(row.block)},
          {"duration_s", seconds},
          {"class", NameOf(launch.kernel_class)},
          {"sm_percent", OrNull(kernel.sm_percent)},
          {"memory_percent", OrNull(kernel.memory_percent)},
          {"dram_percent", OrNull(kernel.dram_percent)},
          {"tensor_percent", OrNull(kernel.tensor_percent)},
          {"occupancy_percent", OrNull(kernel.occupancy_percent)},
          {"rules", rules}};
}

// A number of static_compute.json; null: it is not there.
Json At(const Json& document, const char* pointer) {
  const Json::json_pointer at(pointer);
  return document.contains(at) ? document[at] : Json();
}

}  // namespace

Json LedgerJson(const RunFacts& facts) {
  if (!facts.measured) return {};
  const estimates::MeasuredRun& run = *facts.measured;
  Json phases = Json::array();
  for (const estimates::PhaseEfficiency& phase : estimates::EfficienciesOf(run)) {
    phases.push_back({{"name", phase.name},
                      {"flops", CountOrNull(phase.cost.flops_matrix().executed)},
                      {"bytes", CountOrNull(phase.cost.bytes.unavoidable())},
                      {"measured_s", phase.measured_s},
                      {"least_s", OrNull(phase.bounds.lower_s)},
                      {"distance", OrNull(phase.distance)},
                      {"bound", NameOf(phase.bounds.bound)},
                      {"mfu", OrNull(phase.used.mfu)},
                      {"mfu_ideal", OrNull(phase.used.mfu_ideal)},
                      {"mbu", OrNull(phase.used.mbu)}});
  }
  return {{"device", run.device},
          {"compute_flops_per_s", OrNull(run.roofs.flops_per_s)},
          {"memory_bytes_per_s", OrNull(run.roofs.bytes_per_s)},
          {"samples", run.samples},
          {"phases", phases}};
}

Json RooflineJson(const RunFacts& facts) {
  Json rooflines = Json::array();
  if (Json model = ModelRoofline(facts); !model.is_null()) {
    rooflines.push_back(std::move(model));
  }
  for (const NcuFacts& ncu : facts.ncu) {
    if (Json roofline = NcuRoofline(ncu); !roofline.is_null()) {
      rooflines.push_back(std::move(roofline));
    }
  }
  return rooflines;
}

Json MemoryJson(const RunFacts& facts) {
  Json peaks = Json::array();
  const Json activations = At(facts.static_analysis, "/activation_peak_bytes");
  if (activations.is_object()) {
    for (const auto& [phase, bytes] : activations.items()) {
      peaks.push_back({{"phase", phase}, {"bytes", bytes}});
    }
  }
  Json resident = Json::array();
  if (facts.manifest) {
    for (const artifacts::StageRecord& stage : facts.manifest->stages) {
      for (const artifacts::ProcessRecord& process : stage.processes) {
        if (process.peak_rss_bytes <= 0) continue;
        resident.push_back({{"source", stage.name + ": " + CutText(process.purpose)},
                            {"bytes", process.peak_rss_bytes}});
      }
    }
  }
  std::vector<OperatorMemory> operators = facts.operator_memory;
  std::stable_sort(operators.begin(), operators.end(), [](const auto& a, const auto& b) {
    return a.self_bytes > b.self_bytes;
  });
  Json allocated = Json::array();
  for (const OperatorMemory& op : operators) {
    if (op.self_bytes <= 0 || allocated.size() == kMostOperators) break;
    allocated.push_back({{"name", CutText(op.name)}, {"self_bytes", op.self_bytes}});
  }
  return {{"parameters", At(facts.static_analysis, "/parameters/total")},
          {"weights_read_bytes", At(facts.static_analysis, "/page/bytes/weights_read")},
          {"kv_cache_bytes", At(facts.static_analysis, "/kv_cache_bytes")},
          {"activation_peaks", peaks},
          {"peak_rss", resident},
          {"machine_total_bytes", At(facts.environment, "/memory/total_bytes")},
          {"operators", allocated}};
}

Json NcuJson(const RunFacts& facts) {
  Json rows = Json::array();
  for (const NcuFacts& ncu : facts.ncu) {
    for (const size_t i : LongestLaunches(ncu)) rows.push_back(LaunchJson(ncu, i));
  }
  return rows;
}

}  // namespace ridgeline::report
