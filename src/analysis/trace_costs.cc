#include "analysis/trace_costs.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "analysis/annotation_regions.h"
#include "analysis/call_costs.h"
#include "analysis/call_order.h"
#include "analysis/intervals.h"
#include "analysis/launch_work.h"

namespace ridgeline::analysis {
namespace {

using results::DropReason;
using results::ThreadCall;
using results::TraceRows;

struct UncountedSum {
  int64_t calls = 0;
  int64_t cpu_ns = 0;
  int64_t gpu_ns = 0;
};

class TraceSweep {
 public:
  TraceSweep(const TraceRows& rows, const LaunchIndex& launches)
      : rows_(rows),
        costs_(rows),
        launches_(rows, launches),
        regions_(rows),
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
    AnnotationRegions::Totals totals = regions_.Finish(launches_, costs.has_shapes);
    costs.regions = std::move(totals.regions);
    costs.dropped.Add(DropReason::kFlopsTooLarge,
                      costs_.calls_too_large() + totals.flops_beyond_limit);
    return costs;
  }

 private:
  struct OpenOperator {
    uint32_t op = 0;
    const CallCost* cost = nullptr;  // The operator's own.
    bool is_counted = false;         // It or an enclosing operator has a cost.
    bool holds_known = false;        // Contains a counted or uncounted operator.
    int64_t gpu_ns = 0;
  };

  // Visits operators, annotations and launches by start.
  void SweepThread(std::span<const uint32_t> operators,
                   std::span<const uint32_t> annotations,
                   std::span<const uint32_t> calls) {
    size_t op = 0;
    size_t annotation = 0;
    size_t call = 0;
    constexpr int64_t kAfterAll = std::numeric_limits<int64_t>::max();
    regions_.BeginThread();
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
    regions_.CloseAll();
  }

  void CloseBefore(int64_t time_ns) {
    while (!operators_.empty() &&
           CallEnd(rows_.operators[operators_.back().op]) <= time_ns) {
      EndOperator();
    }
    regions_.CloseBefore(time_ns);
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
    regions_.AddOperator(open.cost);
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
    if (!regions_.IsRegion(annotation)) return;
    CloseBefore(annotation.start_ns);
    regions_.Begin(annotation);
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
    regions_.AddLaunched(launched);
  }

  const char* clock() const { return launches_.has_kernels() ? "gpu" : "cpu"; }

  void FinishOperators(TraceCosts& costs) {
    costs.operators.resize(rows_.names.size());
    for (size_t name = 0; name < work_.size(); ++name) {
      if (launches_.has_kernels()) costs.operators[name].gpu_self_ns = gpu_self_ns_[name];
      const WorkSum& sum = work_[name];
      if (sum.calls == 0) continue;
      const std::optional<int64_t> flops = WithinLimit(sum.flops);
      if (!flops) {
        MoveToUncounted(name, costs);
        continue;
      }
      results::OperatorWork& work = costs.operators[name].work.emplace();
      work.calls = sum.calls;
      work.flops = *flops;
      work.flops_useful = WithinLimit(sum.flops_useful).value_or(*flops);
      if (sum.has_bytes) work.bytes = WithinLimit(sum.bytes);
      work.clock = clock();
      work.time_ns = launches_.has_kernels() ? sum.gpu_ns : sum.cpu_ns;
      if (launches_.has_kernels()) work.mfu = MfuOf(sum, work.time_ns);
    }
  }

  // For calls whose sum exceeds the limit.
  void MoveToUncounted(size_t name, TraceCosts& costs) {
    const WorkSum& sum = work_[name];
    UncountedSum& uncounted = uncounted_[name];
    uncounted.calls += sum.calls;
    uncounted.cpu_ns = SaturatingAdd(uncounted.cpu_ns, sum.cpu_ns);
    uncounted.gpu_ns = SaturatingAdd(uncounted.gpu_ns, sum.gpu_ns);
    costs.dropped.Add(DropReason::kFlopsTooLarge, sum.calls);
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

  const TraceRows& rows_;
  CallCosts costs_;
  const Launches launches_;
  AnnotationRegions regions_;
  std::vector<WorkSum> work_;            // By name.
  std::vector<UncountedSum> uncounted_;  // By name.
  std::vector<int64_t> gpu_self_ns_;     // By name.
  int64_t operators_ns_ = 0;             // Outermost operators only.
  std::vector<OpenOperator> operators_;  // Open on the current thread.
};

bool HasRegions(const TraceRows& rows) {
  const AnnotationRegions regions(rows);
  return std::any_of(rows.annotations.begin(), rows.annotations.end(),
                     [&](const ThreadCall& call) { return regions.IsRegion(call); });
}

}  // namespace

TraceCosts TraceCostsOf(const TraceRows& rows, const LaunchIndex& launches) {
  if (rows.operator_inputs.empty() && !HasRegions(rows)) return {};
  return TraceSweep(rows, launches).Run();
}

}  // namespace ridgeline::analysis
