#include <map>

#include "report/sections/ncu_rows.h"
#include "report/sections/parts.h"
#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

using analysis::NcuLaunchFinding;

constexpr size_t kMaxLaunches = 100;

std::optional<std::string> ShapeText(const std::optional<results::NcuShape>& shape) {
  if (!shape) return std::nullopt;
  const auto& [x, y, z] = *shape;
  return std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z);
}

std::vector<NcuRuleRow> RulesOf(const StringPool& names,
                                const results::NcuLaunch& launch) {
  std::vector<NcuRuleRow> rules;
  for (const results::NcuRule& rule : launch.rules) {
    const StringId speedup_kind = rule.speedup_kind.value_or(0);
    rules.push_back({.section = CutText(names.text(rule.section)),
                     .rule = CutText(names.text(rule.name)),
                     .kind = std::string(names.text(rule.kind)),
                     .text = CutText(names.text(rule.text)),
                     .speedup_kind = SomeText(std::string(names.text(speedup_kind))),
                     .speedup_percent = rule.speedup_percent});
  }
  return rules;
}

std::vector<NcuFlopsRow> FlopsOf(const analysis::NcuKernel& kernel) {
  std::vector<NcuFlopsRow> rows;
  for (const analysis::NcuPrecision precision : analysis::kNcuPrecisions) {
    const std::optional<double> flops = analysis::FlopsOf(kernel, precision);
    if (flops) rows.push_back({std::string(NameOf(precision)), *flops});
  }
  return rows;
}

// Arithmetic intensity: all counted FLOPs over DRAM bytes.
OptionalNumber IntensityOf(const analysis::NcuKernel& kernel) {
  const std::optional<double> flops = FlopsTotalOf(kernel);
  if (!flops || !kernel.dram_bytes || *kernel.dram_bytes <= 0) return {};
  // Tensor-core FLOPs were not counted.
  const bool may_be_more = !kernel.flops[analysis::NcuPrecision::kTensor];
  if (*flops == 0 && may_be_more) return {};
  return *flops / *kernel.dram_bytes;
}

void AddMeasured(const analysis::NcuKernel& kernel, NcuRow& row) {
  if (kernel.duration_ns) row.duration_s = *kernel.duration_ns / 1e9;
  row.sm_percent = kernel.sm_percent;
  row.memory_percent = kernel.memory_percent;
  row.dram_percent = kernel.dram_percent;
  row.tensor_percent = kernel.tensor_percent;
  row.occupancy_percent = kernel.occupancy_percent;
  row.occupancy_theoretical_percent = kernel.occupancy_theoretical_percent;
  row.l1_percent = kernel.l1_percent;
  row.l2_percent = kernel.l2_percent;
  row.l1_hit_percent = kernel.l1_hit_percent;
  row.l2_hit_percent = kernel.l2_hit_percent;
  row.registers_per_thread = kernel.registers_per_thread;
  row.waves_per_sm = kernel.waves_per_sm;
  row.dram_bytes_per_s = kernel.dram_bytes_per_s;
  row.dram_read_bytes = kernel.dram_read_bytes;
  row.dram_write_bytes = kernel.dram_write_bytes;
  row.dram_bytes = kernel.dram_bytes;
  row.l2_bytes = kernel.l2_bytes;
  row.l1_bytes = kernel.l1_bytes;
  row.flops_per_byte = IntensityOf(kernel);
  row.flops = FlopsOf(kernel);
}

// A mean over launches, weighted by time; launches without the value are ignored.
class WeightedMean {
 public:
  void Add(const OptionalNumber& value, double weight) {
    if (!value) return;
    sum_ += *value * weight;
    weight_ += weight;
  }
  OptionalNumber mean() const { return ShareOf(sum_, weight_); }

 private:
  double sum_ = 0;
  double weight_ = 0;
};

struct ProfiledKernel {
  std::string name;
  int64_t launches = 0;
  bool has_times = false;  // For all launches: a partial sum would mislead.
  double total_s = 0, min_s = 0, max_s = 0;
  std::map<analysis::Bottleneck, double> class_s;
  WeightedMean sm, memory, dram, occupancy;
};

// Adds launches with a time, or all with weight 1 if none has one.
void AddLaunch(const results::NcuLaunch& row, const NcuLaunchFinding& launch,
               ProfiledKernel& kernel) {
  // A row of a summary represents several launches, with their mean.
  const int64_t launches = row.launches.value_or(1);
  const OptionalNumber& duration_ns = launch.kernel.duration_ns;
  const double mean_s = duration_ns.value_or(0) / 1e9;
  const double time_s = mean_s * static_cast<double>(launches);
  kernel.has_times = (kernel.launches == 0 || kernel.has_times) && duration_ns;
  kernel.min_s = kernel.launches == 0 ? mean_s : std::min(kernel.min_s, mean_s);
  kernel.max_s = std::max(kernel.max_s, mean_s);
  kernel.launches += launches;
  kernel.total_s += time_s;
  const double weight = duration_ns ? time_s : static_cast<double>(launches);
  kernel.class_s[launch.kernel_class] += weight;
  kernel.sm.Add(launch.kernel.sm_percent, weight);
  kernel.memory.Add(launch.kernel.memory_percent, weight);
  kernel.dram.Add(launch.kernel.dram_percent, weight);
  kernel.occupancy.Add(launch.kernel.occupancy_percent, weight);
}

std::vector<ProfiledKernel> ProfiledKernels(const NcuFacts& ncu) {
  std::vector<ProfiledKernel> kernels;
  std::map<StringId, size_t> index;
  for (size_t i = 0; i < ncu.findings.launches.size(); ++i) {
    const results::NcuLaunch& row = ncu.rows.launches[i];
    const auto [known, is_new] = index.try_emplace(row.kernel, kernels.size());
    if (is_new) kernels.push_back({.name = CutText(ncu.rows.names.text(row.kernel))});
    AddLaunch(row, ncu.findings.launches[i], kernels[known->second]);
  }
  return kernels;
}

NcuKernelRow RowOf(const ProfiledKernel& kernel, const std::string& source,
                   double source_s) {
  const auto most_time =
      std::max_element(kernel.class_s.begin(), kernel.class_s.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  NcuKernelRow row = {.source = source,
                      .name = kernel.name,
                      .launches = kernel.launches,
                      .kernel_class = most_time->first,
                      .sm_percent = kernel.sm.mean(),
                      .memory_percent = kernel.memory.mean(),
                      .dram_percent = kernel.dram.mean(),
                      .occupancy_percent = kernel.occupancy.mean()};
  if (!kernel.has_times) return row;
  row.total_s = kernel.total_s;
  row.mean_s =
      kernel.total_s / static_cast<double>(std::max<int64_t>(1, kernel.launches));
  row.min_s = kernel.min_s;
  row.max_s = kernel.max_s;
  row.share = ShareOf(kernel.total_s, source_s);
  return row;
}

}  // namespace

std::vector<size_t> LongestLaunches(const NcuFacts& ncu) {
  const auto time_ns = [](const NcuLaunchFinding& launch) {
    return launch.kernel.duration_ns.value_or(0);
  };
  std::vector<size_t> order;
  for (const NcuLaunchFinding* launch :
       ByTimeDescending(ncu.findings.launches, kMaxLaunches, time_ns)) {
    order.push_back(static_cast<size_t>(launch - ncu.findings.launches.data()));
  }
  return order;
}

NcuRow NcuRowOf(const std::string& source, const results::NcuRows& rows,
                const results::NcuLaunch& launch, const NcuLaunchFinding& finding) {
  const auto text = [&rows](StringId id) { return std::string(rows.names.text(id)); };
  NcuRow row = {.source = source,
                .name = CutText(rows.names.text(launch.kernel)),
                .library = std::string(finding.identity.library),
                .launch = launch.id,
                .process_id = launch.process_id,
                .device = SomeText(text(launch.device)),
                .capability = SomeText(text(launch.capability)),
                .grid = ShapeText(launch.grid),
                .block = ShapeText(launch.block),
                .kernel_class = finding.kernel_class,
                .rules = RulesOf(rows.names, launch)};
  AddMeasured(finding.kernel, row);
  return row;
}

std::vector<NcuRow> MakeNcu(const RunFacts& facts) {
  std::vector<NcuRow> rows;
  for (const NcuFacts& ncu : facts.ncu) {
    for (const size_t i : LongestLaunches(ncu)) {
      rows.push_back(
          NcuRowOf(ncu.source, ncu.rows, ncu.rows.launches[i], ncu.findings.launches[i]));
    }
  }
  return rows;
}

std::vector<NcuKernelRow> MakeNcuKernels(const RunFacts& facts) {
  const auto total_s = [](const ProfiledKernel& kernel) { return kernel.total_s; };
  std::vector<NcuKernelRow> rows;
  for (const NcuFacts& ncu : facts.ncu) {
    const std::vector<ProfiledKernel> kernels = ProfiledKernels(ncu);
    double source_s = 0;
    for (const ProfiledKernel& kernel : kernels) {
      if (kernel.has_times) source_s += kernel.total_s;
    }
    for (const ProfiledKernel* kernel : ByTimeDescending(kernels, kMaxRows, total_s)) {
      rows.push_back(RowOf(*kernel, ncu.source, source_s));
    }
  }
  return rows;
}

}  // namespace ridgeline::report
