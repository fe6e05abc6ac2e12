#include "analysis/annotation_regions.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "analysis/intervals.h"
#include "analysis/statistics.h"

namespace ridgeline::analysis {
namespace {

using results::RegionTotal;

constexpr uint32_t kNoRegion = std::numeric_limits<uint32_t>::max();

// Escapes "/" and "\" in a name with a "\".
std::string EscapedRegion(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '/' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

void AddUnattributed(const char* path, const GpuWork& work,
                     std::vector<RegionTotal>& regions) {
  if (work == GpuWork{}) return;
  RegionTotal rest;
  rest.path = path;
  rest.kind = "unattributed";
  rest.launches = rest.launches_inclusive = work.launches;
  rest.gpu_exclusive_ns = rest.gpu_inclusive_ns = work.gpu_ns;
  rest.memory_ops = rest.memory_ops_inclusive = work.memory_ops;
  rest.memory_exclusive_ns = rest.memory_inclusive_ns = work.memory_ns;
  regions.push_back(std::move(rest));
}

}  // namespace

int64_t CallEnd(const results::ThreadCall& call) {
  return SaturatingAdd(call.start_ns, call.duration_ns);
}

std::optional<int64_t> WithinLimit(Count count) {
  if (count > kMaxFlops) return std::nullopt;
  return static_cast<int64_t>(count.value());
}

void WorkSum::Add(const CallCost& cost) {
  ++calls;
  flops += cost.flops;
  flops_useful += cost.flops_useful;
  bytes += cost.bytes.value_or(0);
  has_bytes = has_bytes && cost.bytes.has_value();
  ideal_s += cost.ideal_s.value_or(0);
  has_ideal = has_ideal && cost.ideal_s.has_value();
}

bool AnnotationRegions::IsRegion(const results::ThreadCall& annotation) const {
  return !rows_.names.text(annotation.name).starts_with(results::kProfilerStep);
}

void AnnotationRegions::BeginThread() {
  now_ns_ = std::numeric_limits<int64_t>::min() / 2;
}

void AnnotationRegions::Begin(const results::ThreadCall& annotation) {
  CloseBefore(annotation.start_ns);
  GiveTo(annotation.start_ns);
  // An open annotation that ends before this one does is not its parent.
  while (!open_.empty() && open_.back().end_ns < CallEnd(annotation)) open_.pop_back();
  const bool is_too_deep = open_.size() >= kMaxRangeLevels;
  const uint32_t parent =
      open_.empty()
          ? kNoRegion
          : (is_too_deep ? regions_[open_.back().region].parent : open_.back().region);
  if (is_too_deep) open_.pop_back();
  const uint32_t number = NumberOf(parent, annotation.name);
  Sum& region = regions_[number];
  ++region.instances;
  region.cpu_total_ns = SaturatingAdd(region.cpu_total_ns, annotation.duration_ns);
  region.durations_ns.push_back(annotation.duration_ns);
  open_.push_back({number, CallEnd(annotation)});
}

void AnnotationRegions::CloseBefore(int64_t time_ns) {
  while (!open_.empty() && open_.back().end_ns <= time_ns) {
    GiveTo(open_.back().end_ns);
    open_.pop_back();
  }
}

void AnnotationRegions::CloseAll() { CloseBefore(std::numeric_limits<int64_t>::max()); }

void AnnotationRegions::AddOperator(const CallCost* cost) {
  Sum* const region = Current();
  if (region == nullptr) return;
  ++region->operators;
  if (cost != nullptr) region->work.Add(*cost);
}

void AnnotationRegions::AddLaunched(const Launched& launched) {
  Sum* const region = Current();
  AddWork(WorkOf(launched), region != nullptr ? region->gpu : outside_);
}

// Attributes the time since `now_ns_` to the innermost region.
void AnnotationRegions::GiveTo(int64_t until_ns) {
  if (until_ns <= now_ns_) return;
  if (Sum* const region = Current()) {
    region->cpu_self_ns = SaturatingAdd(region->cpu_self_ns, until_ns - now_ns_);
  }
  now_ns_ = until_ns;
}

AnnotationRegions::Sum* AnnotationRegions::Current() {
  return open_.empty() ? nullptr : &regions_[open_.back().region];
}

uint32_t AnnotationRegions::NumberOf(uint32_t parent, StringId name) {
  const auto next = static_cast<uint32_t>(regions_.size());
  const auto [found, is_new] = numbers_.try_emplace(uint64_t{parent} << 32 | name, next);
  if (!is_new) return found->second;
  Sum region;
  region.parent = parent;
  region.path = EscapedRegion(rows_.names.text(name));
  if (parent != kNoRegion) region.path = regions_[parent].path + "/" + region.path;
  regions_.push_back(std::move(region));
  return next;
}

AnnotationRegions::Totals AnnotationRegions::Finish(const Launches& launches,
                                                    bool has_shapes) {
  Totals totals;
  totals.regions.resize(regions_.size());
  inclusive_.assign(regions_.size(), {});
  // Children come after their parents.
  for (size_t i = regions_.size(); i-- > 0;) FinishRegion(i, has_shapes, totals);
  const bool is_gpu = launches.has_kernels();
  std::sort(totals.regions.begin(), totals.regions.end(),
            [is_gpu](const RegionTotal& a, const RegionTotal& b) {
              const int64_t a_ns = is_gpu ? a.gpu_inclusive_ns : a.cpu_total_ns;
              const int64_t b_ns = is_gpu ? b.gpu_inclusive_ns : b.cpu_total_ns;
              if (a_ns != b_ns) return a_ns > b_ns;
              if (a.cpu_total_ns != b.cpu_total_ns)
                return a.cpu_total_ns > b.cpu_total_ns;
              return a.path < b.path;
            });
  if (totals.regions.empty()) return totals;
  AddUnattributed("outside all annotations", outside_, totals.regions);
  AddUnattributed("no matching API call", WorkOf(launches.without_call()),
                  totals.regions);
  return totals;
}

// Adds the region's totals to its parent, which is finished later.
void AnnotationRegions::FinishRegion(size_t index, bool has_shapes, Totals& totals) {
  Sum& region = regions_[index];
  RegionTotal& total = totals.regions[index];
  total.path = region.path;
  total.kind = "annotation";
  total.instances = region.instances;
  total.cpu_total_ns = region.cpu_total_ns;
  total.cpu_instance = QuantilesOf(region.durations_ns);
  Inclusive& sum = inclusive_[index];  // From its children.
  total.launches = region.gpu.launches;
  total.gpu_exclusive_ns = region.gpu.gpu_ns;
  total.memory_ops = region.gpu.memory_ops;
  total.memory_exclusive_ns = region.gpu.memory_ns;
  AddWork(region.gpu, sum.gpu);
  total.launches_inclusive = sum.gpu.launches;
  total.gpu_inclusive_ns = sum.gpu.gpu_ns;
  total.memory_ops_inclusive = sum.gpu.memory_ops;
  total.memory_inclusive_ns = sum.gpu.memory_ns;
  sum.operators += region.operators;
  sum.flops += region.work.flops;
  sum.ideal_s += region.work.ideal_s;
  sum.has_ideal = sum.has_ideal && region.work.has_ideal;
  results::RegionWork& work = total.work.emplace();
  work.operators = sum.operators;
  work.cpu_self_ns = region.cpu_self_ns;
  if (has_shapes) {
    work.flops = WithinLimit(sum.flops);
    work.flops_exclusive = WithinLimit(region.work.flops);
    if (!work.flops) ++totals.flops_beyond_limit;
  }
  if (work.flops && sum.has_ideal && total.gpu_inclusive_ns > 0 && sum.ideal_s > 0) {
    work.mfu = sum.ideal_s / (static_cast<double>(total.gpu_inclusive_ns) * 1e-9);
  }
  if (region.parent == kNoRegion) return;
  Inclusive& parent = inclusive_[region.parent];
  AddWork(sum.gpu, parent.gpu);
  parent.operators += sum.operators;
  parent.flops += sum.flops;
  parent.ideal_s += sum.ideal_s;
  parent.has_ideal = parent.has_ideal && sum.has_ideal;
}

}  // namespace ridgeline::analysis
