#include "analysis/ncu_findings.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/ncu_device.h"

namespace ridgeline::analysis {
namespace {

using results::NcuLaunch;
using results::NcuMetric;
using results::NcuRows;
using results::NcuRule;

// Fields of `first`; those it lacks are taken from `second`.
NcuCeilings OneOf(NcuCeilings first, const NcuCeilings& second) {
  for (const NcuPrecision precision : kNcuPrecisions) {
    auto& ceiling = first.flops_per_s[precision];
    if (!ceiling) ceiling = second.flops_per_s[precision];
  }
  for (const MemoryLevel level : kMemoryLevels) {
    if (!first.Of(level)) first.Of(level) = second.Of(level);
  }
  return first;
}

// Fields of `first` that `second` lacks.
NcuCeilings Without(NcuCeilings first, const NcuCeilings& second) {
  for (const NcuPrecision precision : kNcuPrecisions) {
    if (second.flops_per_s[precision]) first.flops_per_s[precision].reset();
  }
  for (const MemoryLevel level : kMemoryLevels) {
    if (second.Of(level)) first.Of(level).reset();
  }
  return first;
}

std::optional<double> HighestRidge(const NcuCeilings& ceilings) {
  std::optional<double> highest;
  for (const NcuPrecision precision : kNcuPrecisions) {
    const auto ridge = RidgeOf(ceilings, precision, MemoryLevel::kDram);
    if (ridge && (!highest || *ridge > *highest)) highest = ridge;
  }
  return highest;
}

// GPUs are distinguished by name, compute capability and number of SMs.
using DeviceKey = std::tuple<std::string, std::string, std::optional<double>>;

std::vector<DeviceKey> DeviceKeys(const NcuRows& rows,
                                  const std::vector<NcuLaunchFinding>& launches) {
  std::vector<DeviceKey> keys;
  std::set<DeviceKey> named;
  for (size_t i = 0; i < launches.size(); ++i) {
    const NcuKernel& kernel = launches[i].kernel;
    keys.emplace_back(kernel.device_name, rows.names.text(rows.launches[i].capability),
                      kernel.sm_count);
    if (!kernel.device_name.empty()) named.insert(keys.back());
  }
  if (named.size() != 1) return keys;
  // Not every page names its GPU. If only one GPU is named, unnamed launches belong to it
  // unless their compute capability differs.
  const auto& [name, capability, sm_count] = *named.begin();
  for (DeviceKey& key : keys) {
    const std::string& own = std::get<1>(key);
    if (own.empty() || capability.empty() || own == capability) key = *named.begin();
  }
  return keys;
}

// Without the ceilings reported by its launches.
NcuDevice DeviceOf(const NcuKernel& kernel, const DeviceKey& key,
                   const NcuQuestion& question) {
  if (question.device) return *question.device;
  if (question.lookup == GpuLookup::kNone) return {.name = std::get<0>(key)};
  return NcuDeviceOf(kernel, std::get<1>(key));
}

struct DeviceLaunches {
  size_t example = 0;  // A launch that names the GPU, if there is one.
  NcuCeilings reported;
};

// Assigns each launch to its device.
std::vector<NcuDevice> TakeDevices(const NcuRows& rows, const NcuQuestion& question,
                                   std::vector<NcuLaunchFinding>& launches) {
  const std::vector<DeviceKey> keys = DeviceKeys(rows, launches);
  std::map<DeviceKey, size_t> numbers;
  std::vector<DeviceLaunches> found;
  for (size_t i = 0; i < launches.size(); ++i) {
    const auto [number, is_new] = numbers.try_emplace(keys[i], found.size());
    if (is_new) found.push_back({.example = i});
    launches[i].device = number->second;
    DeviceLaunches& device = found[number->second];
    if (launches[device.example].kernel.device_name.empty()) device.example = i;
    RaiseCeilings(launches[i].kernel, device.reported);
  }
  std::vector<NcuDevice> devices;
  const auto& ridge = question.thresholds.ridge_flops_per_byte;
  for (const auto& [example, reported] : found) {
    NcuDevice device = DeviceOf(launches[example].kernel, keys[example], question);
    device.ceilings = OneOf(question.given, OneOf(reported, device.ceilings));
    device.reported = Without(reported, question.given);
    device.ridge_flops_per_byte = ridge ? ridge : HighestRidge(device.ceilings);
    devices.push_back(std::move(device));
  }
  return devices;
}

std::vector<ClassCount> CountClasses(const std::vector<NcuLaunchFinding>& launches) {
  std::map<Bottleneck, ClassCount> counts;
  for (const NcuLaunchFinding& launch : launches) {
    ClassCount& count = counts[launch.kernel_class];
    count.kernel_class = launch.kernel_class;
    ++count.launches;
    count.duration_ns += launch.kernel.duration_ns.value_or(0);
  }
  std::vector<ClassCount> list;
  list.reserve(counts.size());
  for (const auto& [name, count] : counts) list.push_back(count);
  return list;
}

// Maps ids of one string table to ids of another.
class Renaming {
 public:
  Renaming(const StringPool& from, StringPool& into) : from_(from), into_(into) {}

  StringId operator()(StringId id) const { return into_.Intern(from_.text(id)); }

 private:
  const StringPool& from_;
  StringPool& into_;
};

NcuMetric Renamed(NcuMetric metric, const Renaming& name) {
  metric.section = name(metric.section);
  metric.item = name(metric.item);
  metric.name = name(metric.name);
  metric.unit = name(metric.unit);
  metric.text = name(metric.text);
  return metric;
}

NcuRule Renamed(NcuRule rule, const Renaming& name) {
  rule.section = name(rule.section);
  rule.name = name(rule.name);
  rule.kind = name(rule.kind);
  rule.text = name(rule.text);
  if (rule.speedup_kind) rule.speedup_kind = name(*rule.speedup_kind);
  return rule;
}

NcuLaunch Renamed(NcuLaunch launch, const Renaming& name) {
  for (StringId NcuLaunch::*const field :
       {&NcuLaunch::process, &NcuLaunch::host, &NcuLaunch::kernel, &NcuLaunch::nvtx,
        &NcuLaunch::context, &NcuLaunch::stream, &NcuLaunch::device,
        &NcuLaunch::capability}) {
    launch.*field = name(launch.*field);
  }
  for (NcuMetric& metric : launch.metrics) metric = Renamed(metric, name);
  for (NcuRule& rule : launch.rules) rule = Renamed(rule, name);
  return launch;
}

void AddCounts(const results::DropCounts& from, results::DropCounts& into) {
  for (size_t i = 0; i < results::DropReasonTexts().size(); ++i) {
    const auto counter = static_cast<results::DropReason>(i);
    into.Add(counter, from.Get(counter));
  }
}

void MergeLaunch(const NcuLaunch& from, const Renaming& name, NcuLaunch& into) {
  using MetricKey = std::tuple<StringId, StringId, StringId>;
  std::set<MetricKey> metrics;
  for (const NcuMetric& metric : into.metrics) {
    metrics.insert({metric.section, metric.item, metric.name});
  }
  for (const NcuMetric& metric : from.metrics) {
    const NcuMetric renamed = Renamed(metric, name);
    if (!metrics.insert({renamed.section, renamed.item, renamed.name}).second) continue;
    into.metrics.push_back(renamed);
  }
  using RuleKey = std::tuple<StringId, StringId, StringId>;
  std::set<RuleKey> rules;
  for (const NcuRule& rule : into.rules) {
    rules.insert({rule.section, rule.name, rule.text});
  }
  for (const NcuRule& rule : from.rules) {
    const NcuRule renamed = Renamed(rule, name);
    // A rule may give several messages, but each only once.
    if (rules.contains({renamed.section, renamed.name, renamed.text})) continue;
    into.rules.push_back(renamed);
  }
  if (!into.grid) into.grid = from.grid;
  if (!into.block) into.block = from.block;
}

std::optional<std::string> ShapeText(const std::optional<results::NcuShape>& shape) {
  if (!shape) return {};
  const auto& [x, y, z] = *shape;
  return std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z);
}

std::optional<std::string> OrNone(std::string_view text) {
  if (text.empty()) return {};
  return std::string(text);
}

void AddLaunch(const NcuRows& rows, const NcuLaunch& launch, uint32_t id,
               results::ResultStore& store) {
  const Renaming name(rows.names, store.names);
  for (const NcuMetric& metric : launch.metrics) {
    results::NcuMetricRow row = {.launch = id,
                                 .section = name(metric.section),
                                 .item = name(metric.item),
                                 .name = name(metric.name),
                                 .unit = name(metric.unit),
                                 .value = metric.value};
    const std::string_view text = rows.names.text(metric.text);
    if (!metric.value && !text.empty()) row.text = std::string(text);
    store.ncu_metrics.push_back(std::move(row));
  }
  for (const NcuRule& rule : launch.rules) {
    const std::string_view speedup_kind = rows.names.text(rule.speedup_kind.value_or(0));
    store.ncu_rules.push_back({.launch = id,
                               .section = name(rule.section),
                               .name = name(rule.name),
                               .kind = std::string(rows.names.text(rule.kind)),
                               .text = name(rule.text),
                               .speedup_kind = OrNone(speedup_kind),
                               .speedup_percent = rule.speedup_percent});
  }
}

}  // namespace

NcuFindings FindingsOf(const NcuRows& rows, const NcuQuestion& question) {
  NcuFindings findings;
  for (const NcuLaunch& launch : rows.launches) {
    NcuLaunchFinding finding = {.kernel = NcuKernelOf(rows, launch),
                                .identity = IdentityOf(rows.names.text(launch.kernel))};
    findings.duration_total_ns += finding.kernel.duration_ns.value_or(0);
    findings.launches.push_back(std::move(finding));
  }
  findings.devices = TakeDevices(rows, question, findings.launches);
  for (NcuLaunchFinding& finding : findings.launches) {
    const NcuDevice& device = findings.devices[finding.device];
    ClassThresholds thresholds = question.thresholds;
    thresholds.ridge_flops_per_byte = device.ridge_flops_per_byte;
    finding.kernel_class = ClassOf(finding.kernel, question.rule, thresholds);
    finding.points = PointsOf(finding.kernel, device.ceilings);
  }
  findings.classes = CountClasses(findings.launches);
  return findings;
}

void Merge(const NcuRows& from, NcuRows& into) {
  using LaunchKey = std::tuple<int64_t, std::optional<int64_t>, StringId>;
  std::map<LaunchKey, size_t> launches;
  for (size_t i = 0; i < into.launches.size(); ++i) {
    const NcuLaunch& launch = into.launches[i];
    launches.try_emplace({launch.process_id, launch.id, launch.kernel}, i);
  }
  const Renaming name(from.names, into.names);
  for (const NcuLaunch& launch : from.launches) {
    const auto found = launches.find({launch.process_id, launch.id, name(launch.kernel)});
    if (found != launches.end()) {
      MergeLaunch(launch, name, into.launches[found->second]);
    } else {
      into.launches.push_back(Renamed(launch, name));
    }
  }
  AddCounts(from.left_out, into.left_out);
}

void Append(const NcuRows& from, NcuRows& into) {
  const Renaming name(from.names, into.names);
  for (const NcuLaunch& launch : from.launches) {
    into.launches.push_back(Renamed(launch, name));
  }
  AddCounts(from.left_out, into.left_out);
}

void AddToStore(const NcuRows& rows, const NcuFindings& findings, results::Source source,
                results::ResultStore& store) {
  const auto source_id = static_cast<results::SourceId>(store.sources.size());
  source.event_count = static_cast<int64_t>(rows.launches.size());
  store.sources.push_back(std::move(source));
  const Renaming name(rows.names, store.names);
  for (size_t i = 0; i < rows.launches.size(); ++i) {
    const NcuLaunch& launch = rows.launches[i];
    const auto id = static_cast<uint32_t>(store.ncu_launches.size());
    store.ncu_launches.push_back(
        {.source = source_id,
         .launch = launch.id,
         .process_id = launch.process_id,
         .name = name(launch.kernel),
         .device = std::string(rows.names.text(launch.device)),
         .capability = std::string(rows.names.text(launch.capability)),
         .grid = ShapeText(launch.grid),
         .block = ShapeText(launch.block),
         .duration_ns = findings.launches[i].kernel.duration_ns});
    AddLaunch(rows, launch, id, store);
  }
  for (size_t i = 0; i < results::DropReasonTexts().size(); ++i) {
    const auto counter = static_cast<results::DropReason>(i);
    const int64_t count = rows.left_out.Get(counter);
    if (count > 0) store.import_counters.push_back({source_id, counter, count});
  }
}

}  // namespace ridgeline::analysis
