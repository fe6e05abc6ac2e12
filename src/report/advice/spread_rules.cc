#include <fmt/format.h>

#include <algorithm>

#include "report/advice/rules.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

// Below this, p99 is the maximum.
constexpr double kMinInstances = 100;

// Decode steps get slower as the context grows, but not by 2x.
constexpr double kMuchLonger = 2;

// Share of a region's time that its slow instances take above the median.
constexpr double kMuchBeyond = 0.05;

constexpr size_t kMaxUnevenRegions = 2;

// A region adds nothing if a nested one has nearly all of its time above the median.
constexpr double kNearlyAllOfTail = 0.80;

// An operator's range ("aten::add" of emit_nvtx) has calls with all shapes, which take
// different times for a good reason; names with sizes have equal shapes.
bool MayHaveSeveralShapes(const RegionRow& region) {
  const std::string_view path = region.path;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.find("::") != name.npos && name.find("sizes") == name.npos;
}

std::optional<Advice> Uneven(const Document& document, const RegionRow& region) {
  if (!region.per_instance || region.path == "warmup") return std::nullopt;
  if (MayHaveSeveralShapes(region)) return std::nullopt;
  const InstanceRow& instance = *region.per_instance;
  const bool is_gpu = instance.clock == Clock::kGpu;
  const auto count = static_cast<double>(region.instances);
  if (count < kMinInstances || !(instance.median_s > 0)) return std::nullopt;
  const double factor = instance.p99_s / instance.median_s;
  const double total_s = is_gpu ? region.gpu_span_s.value_or(0) : region.cpu_s;
  const double beyond_s = total_s - count * instance.median_s;
  if (factor < kMuchLonger || beyond_s < kMuchBeyond * total_s) return std::nullopt;
  const Cell of_instance = Cite(document.regions, region, &RegionRow::per_instance);
  return Advice{
      .verdict = fmt::format("{}: long tail, p99 = {}x median ({} vs {}, n={})",
                             Quoted(region.path), Ratio(factor), Time(instance.p99_s),
                             Time(instance.median_s), region.instances),
      .action = fmt::format(
          "Compare slow instances of {} with typical ones in the timeline: allocator "
          "churn, synchronization, recompilation, other shapes, noisy neighbours",
          Quoted(region.path)),
      .saving_s = SavingOf(beyond_s),
      .evidence = {Within(of_instance, Cite(instance, &InstanceRow::p99_s)),
                   Within(of_instance, Cite(instance, &InstanceRow::median_s)),
                   Cite(document.regions, region, &RegionRow::instances),
                   is_gpu ? Cite(document.regions, region, &RegionRow::gpu_span_s)
                          : Cite(document.regions, region, &RegionRow::cpu_s)}};
}

}  // namespace

std::vector<Advice> LongTailRegions(const Document& document) {
  std::vector<std::pair<const RegionRow*, Advice>> all;
  for (const RegionRow* region : MajorRows(document.regions)) {
    if (auto uneven = Uneven(document, *region)) all.emplace_back(region, *uneven);
  }
  std::vector<Advice> found;
  for (const auto& [outer, advice] : all) {
    const double saving_s = advice.saving_s.value_or(0);
    const bool is_explained =
        std::any_of(all.begin(), all.end(), [&, outer = outer](const auto& inner) {
          return IsInside(*inner.first, *outer) &&
                 inner.second.saving_s.value_or(0) >= kNearlyAllOfTail * saving_s;
        });
    if (!is_explained) found.push_back(advice);
  }
  std::stable_sort(found.begin(), found.end(), [](const Advice& a, const Advice& b) {
    return a.saving_s.value_or(0) > b.saving_s.value_or(0);
  });
  if (found.size() > kMaxUnevenRegions) found.resize(kMaxUnevenRegions);
  return found;
}

}  // namespace ridgeline::report
