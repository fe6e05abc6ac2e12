#include <algorithm>

#include "analysis/model_efficiency.h"
#include "report/sections/parts.h"
#include "report/sections/roofline_rows.h"
#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

std::optional<uint64_t> ExactCount(const cost::Count& count) {
  return count.is_exact() ? std::optional(count.value()) : std::nullopt;
}

// Adds nothing without FLOPs or bytes: a roofline cannot show it.
void AddPoint(const std::string& name, const char* kind, double flops, double bytes,
              double seconds, const cost::PeakRates& ceilings,
              std::vector<RooflinePointRow>& points) {
  if (!(flops > 0) || !(bytes > 0) || !(seconds > 0)) return;
  RooflinePointRow point = {.name = CutText(name),
                            .kind = kind,
                            .precision = {},
                            .level = "dram",
                            .flops_per_byte = flops / bytes,
                            .flops_per_s = flops / seconds,
                            .roofline_fraction = {},
                            .time_s = seconds};
  if (ceilings.flops_per_s && ceilings.bytes_per_s) {
    point.roofline_fraction =
        point.flops_per_s /
        std::min(*ceilings.flops_per_s, point.flops_per_byte * *ceilings.bytes_per_s);
  }
  points.push_back(std::move(point));
}

// Phases and regions of the built-in model, whose cost is known in closed form. Useful
// FLOPs, as in roofline times: the fraction is the inverse of the slowdown.
RooflineRow ModelRoofline(const RunFacts& facts) {
  const analysis::MeasuredRun none;
  const analysis::MeasuredRun& run = facts.measured ? *facts.measured : none;
  RooflineRow chart = {.source = "static_analysis", .device = SomeText(run.device)};
  for (const analysis::PhaseTotal& total : run.totals) {
    if (total.name == "end_to_end") continue;  // Its phases have different bounds.
    AddPoint(total.name, "phase", total.cost.flops_matrix().useful.as_double(),
             total.cost.bytes.compulsory().as_double(), total.seconds, run.ceilings,
             chart.points);
  }
  for (const results::RegionRoofline& roofline : facts.store.region_rooflines) {
    AddPoint(roofline.path, "region", static_cast<double>(roofline.flops_useful),
             static_cast<double>(roofline.bytes), Seconds(roofline.time_ns), run.ceilings,
             chart.points);
  }
  if (run.ceilings.flops_per_s) chart.compute = {{"compute", *run.ceilings.flops_per_s}};
  if (run.ceilings.bytes_per_s) chart.memory = {{"dram", *run.ceilings.bytes_per_s}};
  return chart;
}

// For one GPU.
std::vector<RooflinePointRow> NcuPoints(const NcuFacts& ncu, size_t device) {
  std::vector<RooflinePointRow> points;
  for (const size_t i : LongestLaunches(ncu)) {
    const analysis::NcuLaunchFinding& launch = ncu.findings.launches[i];
    if (launch.device != device) continue;
    std::optional<double> seconds;
    if (launch.kernel.duration_ns) seconds = *launch.kernel.duration_ns / 1e9;
    for (const analysis::NcuPoint& point : launch.points) {
      points.push_back({.name = CutText(ncu.rows.names.text(ncu.rows.launches[i].kernel)),
                        .kind = "kernel",
                        .precision = std::string(NameOf(point.precision)),
                        .level = std::string(NameOf(point.level)),
                        .flops_per_byte = point.flops_per_byte,
                        .flops_per_s = point.flops_per_s,
                        .roofline_fraction = point.share_of_ceiling,
                        .time_s = seconds});
    }
  }
  return points;
}

RooflineRow NcuRoofline(const NcuFacts& ncu, size_t device) {
  const analysis::NcuDevice& gpu = ncu.findings.devices[device];
  RooflineRow chart = {.source = ncu.source,
                       .device = SomeText(gpu.name),
                       .points = NcuPoints(ncu, device)};
  for (const analysis::NcuPrecision precision : analysis::kNcuPrecisions) {
    const std::optional<double>& peak = gpu.ceilings.flops_per_s[precision];
    if (peak) chart.compute.push_back({std::string(NameOf(precision)), *peak});
  }
  for (const analysis::MemoryLevel level : analysis::kMemoryLevels) {
    const std::optional<double>& peak = gpu.ceilings.Of(level);
    if (peak) chart.memory.push_back({std::string(NameOf(level)), *peak});
  }
  return chart;
}

// For a Python program; its bytes are unknown, so its bound is, too.
std::optional<LedgerRow> CallLedger(const results::ResultStore& store) {
  if (store.call_flops.empty()) return std::nullopt;
  const results::CallFlops& first = store.call_flops.front();
  LedgerRow ledger = {.flops_source = std::string(kOperatorShapes),
                      .device = first.device,
                      .compute_flops_per_s = first.peak_flops_per_s,
                      .memory_bytes_per_s = first.peak_bytes_per_s,
                      .samples = 1,
                      .phases = {}};
  for (const results::CallFlops& call : store.call_flops) {
    LedgerPhaseRow& row = ledger.phases.emplace_back();
    row.name = call.phase;
    row.flops = static_cast<uint64_t>(call.flops);
    row.measured_s = Seconds(call.time_ns);
    row.mfu = call.mfu();
  }
  return ledger;
}

void AddPeakRounds(const RunFacts& facts, LedgerRow& ledger) {
  if (facts.peak_rounds_ratio) ledger.peak_rounds_ratio = *facts.peak_rounds_ratio;
  if (facts.bandwidth_rounds_ratio) {
    ledger.bandwidth_rounds_ratio = *facts.bandwidth_rounds_ratio;
  }
}

}  // namespace

std::optional<LedgerRow> MakeLedger(const RunFacts& facts) {
  if (!facts.measured) {
    std::optional<LedgerRow> ledger = CallLedger(facts.store);
    if (ledger) AddPeakRounds(facts, *ledger);
    return ledger;
  }
  const analysis::MeasuredRun& run = *facts.measured;
  LedgerRow ledger = {.flops_source = std::string(kClosedForm),
                      .device = run.device,
                      .compute_flops_per_s = run.ceilings.flops_per_s,
                      .memory_bytes_per_s = run.ceilings.bytes_per_s,
                      .samples = static_cast<int64_t>(run.samples),
                      .phases = {}};
  AddPeakRounds(facts, ledger);
  for (const analysis::PhaseEfficiency& phase : analysis::EfficienciesOf(run)) {
    ledger.phases.push_back({.name = phase.name,
                             .flops = ExactCount(phase.cost.flops_matrix().executed),
                             .flops_useful = ExactCount(phase.cost.flops_matrix().useful),
                             .bytes = ExactCount(phase.cost.bytes.compulsory()),
                             .measured_s = phase.measured_s,
                             .roofline_s = phase.bounds.lower_s,
                             .roofline_slowdown = phase.roofline_slowdown,
                             .bound = phase.bounds.bound,
                             .mfu = phase.used.mfu,
                             .mfu_useful = phase.used.mfu_useful,
                             .mbu = phase.used.mbu});
  }
  return ledger;
}

IfThere<CallFlopsRow> MakeCallFlops(const RunFacts& facts) {
  if (!facts.counted_call) return {};
  const CountedCall& counted = *facts.counted_call;
  return CallFlopsRow{
      .source = counted.source, .call = CutText(counted.call), .flops = counted.flops};
}

std::vector<RooflineRow> MakeRoofline(const RunFacts& facts) {
  std::vector<RooflineRow> charts = {ModelRoofline(facts)};
  for (const NcuFacts& ncu : facts.ncu) {
    for (size_t device = 0; device < ncu.findings.devices.size(); ++device) {
      charts.push_back(NcuRoofline(ncu, device));
    }
  }
  std::erase_if(charts, [](const RooflineRow& chart) { return chart.points.empty(); });
  return charts;
}

}  // namespace ridgeline::report
