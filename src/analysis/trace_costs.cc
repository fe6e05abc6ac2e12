#include "analysis/trace_costs.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analysis/call_costs.h"
#include "analysis/call_order.h"
#include "analysis/intervals.h"
#include "analysis/regions.h"
#include "analysis/statistics.h"

namespace ridgeline::analysis {
namespace {

using results::GpuActivity;
using results::GpuActivityKind;
using results::RegionTotal;
using results::RuntimeCall;
using results::ThreadCall;
using results::TraceRows;

constexpr uint32_t kNoRow = std::numeric_limits<uint32_t>::max();

int64_t CallEnd(const ThreadCall& call) {
  return SaturatingAdd(call.start_ns, call.duration_ns);
}

int64_t Saturated(Count count) {
  constexpr auto kMax = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return static_cast<int64_t>(std::min(count.value(), kMax));
}

// What one runtime call made GPUs do.
struct Launched {
  int64_t gpu_ns = 0;  // All of it.
  int64_t memory_ns = 0;
  uint32_t kernels = 0;
  uint32_t memory_ops = 0;

  void Add(const GpuActivity& activity) {
    gpu_ns = SaturatingAdd(gpu_ns, activity.duration_ns);
    const bool is_memory = activity.kind == GpuActivityKind::kMemcpy ||
                           activity.kind == GpuActivityKind::kMemset;
    if (is_memory) memory_ns = SaturatingAdd(memory_ns, activity.duration_ns);
    ++(is_memory ? memory_ops : kernels);
  }
};

GpuWork WorkOf(const Launched& launched) {
  return {.launches = launched.kernels,
          .gpu_ns = launched.gpu_ns - launched.memory_ns,
          .memory_ops = launched.memory_ops,
          .memory_ns = launched.memory_ns,
          .memory_bytes = 0};
}

void AddWork(const GpuWork& part, GpuWork& sum) {
  sum.launches += part.launches;
  sum.gpu_ns = SaturatingAdd(sum.gpu_ns, part.gpu_ns);
  sum.memory_ops += part.memory_ops;
  sum.memory_ns = SaturatingAdd(sum.memory_ns, part.memory_ns);
}

// GPU work by runtime call, and the calls by thread.
class Launches {
 public:
  explicit Launches(const TraceRows& rows) : rows_(rows) {
    if (rows.gpu_activities.empty()) return;
    launched_.resize(rows.runtime_calls.size());
    std::vector<uint32_t> by_correlation(rows.runtime_calls.size());
    std::iota(by_correlation.begin(), by_correlation.end(), 0U);
    const auto correlation = [&](uint32_t call) {
      return rows.runtime_calls[call].correlation;
    };
    const auto is_before = [&](uint32_t a, uint32_t b) {
      return correlation(a) < correlation(b);
    };
    if (!std::is_sorted(by_correlation.begin(), by_correlation.end(), is_before)) {
      std::stable_sort(by_correlation.begin(), by_correlation.end(), is_before);
    }
    for (const GpuActivity& activity : rows.gpu_activities) {
      total_ns_ = SaturatingAdd(total_ns_, activity.duration_ns);
      // Of several calls with one correlation, the last in the file.
      const auto after = std::upper_bound(
          by_correlation.begin(), by_correlation.end(), activity.correlation,
          [&](int64_t wanted, uint32_t call) { return wanted < correlation(call); });
      const bool is_found = activity.correlation != results::kNoCorrelation &&
                            after != by_correlation.begin() &&
                            correlation(*std::prev(after)) == activity.correlation;
      (is_found ? launched_[*std::prev(after)] : without_call_).Add(activity);
    }
    OrderByThread();
  }

  bool has_kernels() const { return !rows_.gpu_activities.empty(); }
  int64_t total_ns() const { return total_ns_; }
  const Launched& without_call() const { return without_call_; }
  const Launched& of(uint32_t call) const { return launched_[call]; }

  // Calls that launched anything, by start.
  std::span<const uint32_t> OfThread(uint32_t thread) const {
    if (begins_.empty()) return {};
    return std::span(order_).subspan(begins_[thread],
                                     begins_[thread + 1] - begins_[thread]);
  }

 private:
  void OrderByThread() {
    begins_.assign(rows_.thread_count + 1, 0);
    for (uint32_t call = 0; call < launched_.size(); ++call) {
      if (launched_[call].kernels + launched_[call].memory_ops == 0) continue;
      order_.push_back(call);
      ++begins_[rows_.runtime_call_threads[call] + 1];
    }
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
      const uint32_t thread_a = rows_.runtime_call_threads[a];
      const uint32_t thread_b = rows_.runtime_call_threads[b];
      if (thread_a != thread_b) return thread_a < thread_b;
      return rows_.runtime_calls[a].start_ns < rows_.runtime_calls[b].start_ns;
    });
  }

  const TraceRows& rows_;
  std::vector<Launched> launched_;  // By runtime call.
  Launched without_call_;
  int64_t total_ns_ = 0;
  std::vector<uint32_t> order_;
  std::vector<size_t> begins_;  // By thread.
};

// Sums of calls that have a cost.
struct WorkSum {
  int64_t calls = 0;
  Count flops;
  Count flops_useful;
  Count bytes;
  double ideal_s = 0;
  bool has_bytes = true;
  bool has_ideal = true;
  int64_t cpu_ns = 0;
  int64_t gpu_ns = 0;

  void Add(const CallCost& cost) {
    ++calls;
    flops += cost.flops;
    flops_useful += cost.flops_useful;
    bytes += cost.bytes.value_or(0);
    has_bytes = has_bytes && cost.bytes.has_value();
    ideal_s += cost.ideal_s.value_or(0);
    has_ideal = has_ideal && cost.ideal_s.has_value();
  }
};

struct UncountedSum {
  int64_t calls = 0;
  int64_t cpu_ns = 0;
  int64_t gpu_ns = 0;
};

// A region, while it is summed up.
struct AnnotationSum {
  uint32_t parent = kNoRow;
  std::string path;
  int64_t instances = 0;
  int64_t cpu_total_ns = 0;
  int64_t cpu_self_ns = 0;
  int64_t operators = 0;  // Exclusive until Finish(), as all that follow.
  WorkSum work;
  GpuWork gpu;
  std::vector<int64_t> durations_ns;
};

// "/" and "\" of a name get a "\" before them.
std::string Escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '/' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

class TraceSweep {
 public:
  explicit TraceSweep(const TraceRows& rows)
      : rows_(rows),
        costs_(rows),
        launches_(rows),
        work_(rows.names.size()),
        uncounted_(rows.names.size()),
        gpu_self_ns_(rows.names.size()) {}

  TraceCosts Run() {
    const CallOrder operators(rows_.operators, rows_.thread_count);
    const CallOrder annotations(rows_.annotations, rows_.thread_count);
    for (uint32_t thread = 0; thread < rows_.thread_count; ++thread) {
      SweepThread(operators.OfThread(thread), annotations.OfThread(thread),
                  launches_.OfThread(thread));
    }
    TraceCosts costs;
    costs.has_shapes = !rows_.operator_inputs.empty();
    FinishOperators(costs);
    FinishUncounted(costs);
    FinishRegions(costs);
    return costs;
  }

 private:
  struct OpenOperator {
    uint32_t op = 0;
    const CallCost* cost = nullptr;  // Of itself.
    bool is_counted = false;         // It, or one that it is within, has a cost.
    bool holds_known = false;        // A counted or uncounted one is within it.
    int64_t gpu_ns = 0;
  };
  struct OpenRegion {
    uint32_t region = 0;
    int64_t end_ns = 0;
  };

  // Operators, annotations and launches in the order in which they begin.
  void SweepThread(std::span<const uint32_t> operators,
                   std::span<const uint32_t> annotations,
                   std::span<const uint32_t> calls) {
    size_t op = 0;
    size_t annotation = 0;
    size_t call = 0;
    constexpr int64_t kAfterAll = std::numeric_limits<int64_t>::max();
    now_ns_ = std::numeric_limits<int64_t>::min() / 2;
    while (op < operators.size() || annotation < annotations.size() ||
           call < calls.size()) {
      const int64_t op_ns =
          op < operators.size() ? rows_.operators[operators[op]].start_ns : kAfterAll;
      const int64_t annotation_ns =
          annotation < annotations.size()
              ? rows_.annotations[annotations[annotation]].start_ns
              : kAfterAll;
      const int64_t call_ns =
          call < calls.size() ? rows_.runtime_calls[calls[call]].start_ns : kAfterAll;
      const bool is_annotation =
          annotation < annotations.size() && annotation_ns <= std::min(op_ns, call_ns);
      const bool is_operator = op < operators.size() && op_ns <= call_ns;
      if (is_annotation) {
        BeginRegion(rows_.annotations[annotations[annotation++]]);
      } else if (is_operator) {
        BeginOperator(operators[op++]);
      } else {
        AddLaunch(calls[call++]);
      }
    }
    while (!operators_.empty()) EndOperator();
    while (!regions_open_.empty()) EndRegion();
  }

  void CloseBefore(int64_t time_ns) {
    while (!operators_.empty() &&
           CallEnd(rows_.operators[operators_.back().op]) <= time_ns) {
      EndOperator();
    }
    while (!regions_open_.empty() && regions_open_.back().end_ns <= time_ns) EndRegion();
  }

  void BeginOperator(uint32_t op) {
    CloseBefore(rows_.operators[op].start_ns);
    OpenOperator open = {.op = op};
    open.is_counted = !operators_.empty() && operators_.back().is_counted;
    if (!open.is_counted) open.cost = costs_.Find(op);
    if (open.cost != nullptr) {
      open.is_counted = true;
      open.holds_known = true;
      work_[rows_.operators[op].name].Add(*open.cost);
    }
    AnnotationSum* const region = CurrentRegion();
    if (region != nullptr) {
      ++region->operators;
      if (open.cost != nullptr) region->work.Add(*open.cost);
    }
    operators_.push_back(open);
  }

  void EndOperator() {
    const OpenOperator open = operators_.back();
    operators_.pop_back();
    const ThreadCall& call = rows_.operators[open.op];
    bool is_known = open.holds_known;
    if (open.cost != nullptr) {
      WorkSum& work = work_[call.name];
      work.cpu_ns = SaturatingAdd(work.cpu_ns, call.duration_ns);
      work.gpu_ns = SaturatingAdd(work.gpu_ns, open.gpu_ns);
    } else if (!open.is_counted && !is_known && costs_.IsMatrixWork(call.name)) {
      UncountedSum& sum = uncounted_[call.name];
      ++sum.calls;
      sum.cpu_ns = SaturatingAdd(sum.cpu_ns, call.duration_ns);
      sum.gpu_ns = SaturatingAdd(sum.gpu_ns, open.gpu_ns);
      is_known = true;
    }
    if (operators_.empty()) {
      operators_ns_ = SaturatingAdd(operators_ns_, call.duration_ns);
      return;
    }
    OpenOperator& parent = operators_.back();
    parent.gpu_ns = SaturatingAdd(parent.gpu_ns, open.gpu_ns);
    parent.holds_known = parent.holds_known || is_known;
  }

  void BeginRegion(const ThreadCall& annotation) {
    if (rows_.names.text(annotation.name).starts_with(results::kProfilerStep)) return;
    CloseBefore(annotation.start_ns);
    GiveTo(annotation.start_ns);
    // One that does not hold it as a whole is not its parent.
    while (!regions_open_.empty() && regions_open_.back().end_ns < CallEnd(annotation)) {
      regions_open_.pop_back();
    }
    const bool is_too_deep = regions_open_.size() >= kMaxRangeLevels;
    const uint32_t parent =
        regions_open_.empty()
            ? kNoRow
            : (is_too_deep ? regions_[regions_open_.back().region].parent
                           : regions_open_.back().region);
    if (is_too_deep) regions_open_.pop_back();
    const uint32_t number = RegionOf(parent, annotation.name);
    AnnotationSum& region = regions_[number];
    ++region.instances;
    region.cpu_total_ns = SaturatingAdd(region.cpu_total_ns, annotation.duration_ns);
    region.durations_ns.push_back(annotation.duration_ns);
    regions_open_.push_back({number, CallEnd(annotation)});
  }

  void EndRegion() {
    GiveTo(regions_open_.back().end_ns);
    regions_open_.pop_back();
  }

  // The time from `now_ns_` on, to the innermost region.
  void GiveTo(int64_t until_ns) {
    if (until_ns <= now_ns_) return;
    if (AnnotationSum* const region = CurrentRegion()) {
      region->cpu_self_ns = SaturatingAdd(region->cpu_self_ns, until_ns - now_ns_);
    }
    now_ns_ = until_ns;
  }

  AnnotationSum* CurrentRegion() {
    return regions_open_.empty() ? nullptr : &regions_[regions_open_.back().region];
  }

  uint32_t RegionOf(uint32_t parent, StringId name) {
    const auto next = static_cast<uint32_t>(regions_.size());
    const auto [found, is_new] =
        region_numbers_.try_emplace(uint64_t{parent} << 32 | name, next);
    if (!is_new) return found->second;
    AnnotationSum region;
    region.parent = parent;
    region.path = Escaped(rows_.names.text(name));
    if (parent != kNoRow) region.path = regions_[parent].path + "/" + region.path;
    regions_.push_back(std::move(region));
    return next;
  }

  void AddLaunch(uint32_t call) {
    CloseBefore(rows_.runtime_calls[call].start_ns);
    const Launched& launched = launches_.of(call);
    if (!operators_.empty()) {
      OpenOperator& open = operators_.back();
      open.gpu_ns = SaturatingAdd(open.gpu_ns, launched.gpu_ns);
      int64_t& self_ns = gpu_self_ns_[rows_.operators[open.op].name];
      self_ns = SaturatingAdd(self_ns, launched.gpu_ns);
    }
    AnnotationSum* const region = CurrentRegion();
    AddWork(WorkOf(launched), region != nullptr ? region->gpu : outside_);
  }

  const char* clock() const { return launches_.has_kernels() ? "gpu" : "cpu"; }

  void FinishOperators(TraceCosts& costs) {
    costs.operators.resize(rows_.names.size());
    for (size_t name = 0; name < work_.size(); ++name) {
      if (launches_.has_kernels()) costs.operators[name].gpu_self_ns = gpu_self_ns_[name];
      const WorkSum& sum = work_[name];
      if (sum.calls == 0) continue;
      results::OperatorWork& work = costs.operators[name].work.emplace();
      work.calls = sum.calls;
      work.flops = Saturated(sum.flops);
      work.flops_useful = Saturated(sum.flops_useful);
      if (sum.has_bytes) work.bytes = Saturated(sum.bytes);
      work.clock = clock();
      work.time_ns = launches_.has_kernels() ? sum.gpu_ns : sum.cpu_ns;
      if (launches_.has_kernels()) work.mfu = MfuOf(sum, work.time_ns);
    }
  }

  static std::optional<double> MfuOf(const WorkSum& sum, int64_t time_ns) {
    if (!sum.has_ideal || sum.calls == 0 || time_ns <= 0) return std::nullopt;
    return sum.ideal_s / (static_cast<double>(time_ns) * 1e-9);
  }

  void FinishUncounted(TraceCosts& costs) {
    if (!costs.has_shapes) return;
    const int64_t whole_ns =
        launches_.has_kernels() ? launches_.total_ns() : operators_ns_;
    for (size_t name = 0; name < uncounted_.size(); ++name) {
      const UncountedSum& sum = uncounted_[name];
      if (sum.calls == 0) continue;
      const int64_t time_ns = launches_.has_kernels() ? sum.gpu_ns : sum.cpu_ns;
      costs.uncounted.push_back(
          {.name = static_cast<StringId>(name),
           .calls = sum.calls,
           .clock = clock(),
           .time_ns = time_ns,
           .time_share =
               whole_ns > 0 ? static_cast<double>(time_ns) / static_cast<double>(whole_ns)
                            : 0});
    }
    std::sort(costs.uncounted.begin(), costs.uncounted.end(),
              [&](const auto& a, const auto& b) {
                if (a.time_ns != b.time_ns) return a.time_ns > b.time_ns;
                return rows_.names.text(a.name) < rows_.names.text(b.name);
              });
  }

  void FinishRegions(TraceCosts& costs) {
    std::vector<RegionTotal> totals(regions_.size());
    // Children come after their parents.
    for (size_t i = regions_.size(); i-- > 0;)
      FinishRegion(i, costs.has_shapes, totals[i]);
    std::vector<uint32_t> order(regions_.size());
    std::iota(order.begin(), order.end(), 0U);
    const bool is_gpu = launches_.has_kernels();
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const auto time_ns = [&](uint32_t i) {
        return is_gpu ? totals[i].gpu_inclusive_ns : totals[i].cpu_total_ns;
      };
      if (time_ns(a) != time_ns(b)) return time_ns(a) > time_ns(b);
      return totals[a].path < totals[b].path;
    });
    for (const uint32_t i : order) costs.regions.push_back(std::move(totals[i]));
    if (costs.regions.empty()) return;
    AddUnattributed("outside all annotations", outside_, costs);
    AddUnattributed("no matching API call", WorkOf(launches_.without_call()), costs);
  }

  // Adds what it has to its parent, which is finished later.
  void FinishRegion(size_t index, bool has_shapes, RegionTotal& total) {
    AnnotationSum& region = regions_[index];
    total.path = region.path;
    total.kind = "annotation";
    total.instances = region.instances;
    total.cpu_total_ns = region.cpu_total_ns;
    total.cpu_instance = QuantilesOf(region.durations_ns);
    // `inclusive_` has what children gave.
    Inclusive& sum = inclusive_[index];
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
      work.flops = Saturated(sum.flops);
      work.flops_exclusive = Saturated(region.work.flops);
    }
    if (sum.has_ideal && total.gpu_inclusive_ns > 0 && sum.ideal_s > 0) {
      work.mfu = sum.ideal_s / (static_cast<double>(total.gpu_inclusive_ns) * 1e-9);
    }
    if (region.parent == kNoRow) return;
    Inclusive& parent = inclusive_[region.parent];
    AddWork(sum.gpu, parent.gpu);
    parent.operators += sum.operators;
    parent.flops += sum.flops;
    parent.ideal_s += sum.ideal_s;
    parent.has_ideal = parent.has_ideal && sum.has_ideal;
  }

  void AddUnattributed(const char* path, const GpuWork& work, TraceCosts& costs) const {
    if (work == GpuWork{}) return;
    RegionTotal rest;
    rest.path = path;
    rest.kind = "unattributed";
    rest.launches = rest.launches_inclusive = work.launches;
    rest.gpu_exclusive_ns = rest.gpu_inclusive_ns = work.gpu_ns;
    rest.memory_ops = rest.memory_ops_inclusive = work.memory_ops;
    rest.memory_exclusive_ns = rest.memory_inclusive_ns = work.memory_ns;
    costs.regions.push_back(std::move(rest));
  }

  struct Inclusive {
    GpuWork gpu;
    int64_t operators = 0;
    Count flops;
    double ideal_s = 0;
    bool has_ideal = true;
  };

  const TraceRows& rows_;
  CallCosts costs_;
  const Launches launches_;
  std::vector<WorkSum> work_;            // By name.
  std::vector<UncountedSum> uncounted_;  // By name.
  std::vector<int64_t> gpu_self_ns_;     // By name.
  std::vector<AnnotationSum> regions_;
  std::unordered_map<size_t, Inclusive> inclusive_;
  std::unordered_map<uint64_t, uint32_t> region_numbers_;  // By parent and name.
  GpuWork outside_;
  int64_t operators_ns_ = 0;  // Of the outermost ones.
  // Of the thread.
  std::vector<OpenOperator> operators_;
  std::vector<OpenRegion> regions_open_;
  int64_t now_ns_ = 0;
};

bool HasRegions(const TraceRows& rows) {
  return std::any_of(
      rows.annotations.begin(), rows.annotations.end(), [&](const ThreadCall& call) {
        return !rows.names.text(call.name).starts_with(results::kProfilerStep);
      });
}

}  // namespace

TraceCosts TraceCostsOf(const TraceRows& rows) {
  if (rows.operator_inputs.empty() && !HasRegions(rows)) return {};
  return TraceSweep(rows).Run();
}

}  // namespace ridgeline::analysis
