#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "analysis/intervals.h"
#include "analysis/trace_findings.h"

namespace ridgeline::analysis {
namespace {

using results::OperatorTotal;
using results::ThreadCall;
using results::TraceRows;

// Groups calls by thread, each group in file order. `ends[t]` becomes the end of thread
// t.
std::vector<ThreadCall> ByThread(const TraceRows& rows, std::vector<size_t>& ends) {
  ends.assign(rows.thread_count, 0);
  for (const ThreadCall& call : rows.operators) ++ends[call.thread];
  size_t begin = 0;
  for (size_t& end : ends) begin += std::exchange(end, begin);
  std::vector<ThreadCall> calls(rows.operators.size());
  for (const ThreadCall& call : rows.operators) calls[ends[call.thread]++] = call;
  return calls;
}

// An enclosing operator sorts before those inside it. Of two with equal times, the first
// in the file encloses the second.
bool ComesBefore(const ThreadCall& a, const ThreadCall& b) {
  if (a.start_ns != b.start_ns) return a.start_ns < b.start_ns;
  return a.duration_ns > b.duration_ns;
}

// Sweeps over the threads one by one. Time before `now_` is already attributed.
class ThreadTimes {
 public:
  explicit ThreadTimes(std::vector<OperatorTotal>& totals)
      : totals_(totals), covered_(totals.size()) {}

  void Begin(const ThreadCall& call) {
    while (!open_.empty() && EndOf(*open_.back()) <= call.start_ns) EndLast();
    if (!open_.empty()) GiveTo(*open_.back(), call.start_ns);
    now_ = std::max(now_, call.start_ns);
    open_.push_back(&call);
    AddToTotal(call);
  }

  void EndAll() {
    while (!open_.empty()) EndLast();
    now_ = kBeforeAll;
    ++thread_;
  }

 private:
  // End of the last call of a name, and its thread.
  struct Covered {
    uint32_t thread = std::numeric_limits<uint32_t>::max();
    int64_t until_ns = 0;
  };

  static constexpr int64_t kBeforeAll = std::numeric_limits<int64_t>::min() / 2;

  static int64_t EndOf(const ThreadCall& call) {
    return call.start_ns + call.duration_ns;
  }

  void EndLast() {
    GiveTo(*open_.back(), EndOf(*open_.back()));
    open_.pop_back();
  }

  // Time already covered by earlier calls of the same name is not added again.
  void AddToTotal(const ThreadCall& call) {
    OperatorTotal& total = totals_[call.name];
    const bool is_first = total.calls == 0;
    const int64_t ns = call.duration_ns;
    ++total.calls;
    Covered& covered = covered_[call.name];
    const int64_t from_ns = covered.thread == thread_
                                ? std::max(call.start_ns, covered.until_ns)
                                : call.start_ns;
    if (EndOf(call) > from_ns) {
      total.time_total_ns = SaturatingAdd(total.time_total_ns, EndOf(call) - from_ns);
    }
    if (EndOf(call) >= from_ns) covered = {thread_, EndOf(call)};
    total.time_min_ns = is_first ? ns : std::min(total.time_min_ns, ns);
    total.time_max_ns = is_first ? ns : std::max(total.time_max_ns, ns);
  }

  // Attributes the time since `now_`.
  void GiveTo(const ThreadCall& call, int64_t until_ns) {
    if (until_ns <= now_) return;
    int64_t& self_ns = totals_[call.name].time_self_ns;
    self_ns = SaturatingAdd(self_ns, until_ns - now_);
    now_ = until_ns;
  }

  std::vector<OperatorTotal>& totals_;  // By name.
  std::vector<Covered> covered_;        // By name.
  uint32_t thread_ = 0;
  std::vector<const ThreadCall*> open_;
  int64_t now_ = kBeforeAll;
};

}  // namespace

std::vector<OperatorTotal> OperatorTotals(const TraceRows& rows) {
  std::vector<OperatorTotal> totals(rows.names.size());
  for (size_t name = 0; name < totals.size(); ++name) {
    totals[name].name = static_cast<StringId>(name);
  }
  std::vector<size_t> ends;
  std::vector<ThreadCall> calls = ByThread(rows, ends);
  ThreadTimes times(totals);
  size_t begin = 0;
  for (const size_t end : ends) {
    const std::span<ThreadCall> of_thread = std::span(calls).subspan(begin, end - begin);
    if (!std::is_sorted(of_thread.begin(), of_thread.end(), ComesBefore)) {
      std::stable_sort(of_thread.begin(), of_thread.end(), ComesBefore);
    }
    for (const ThreadCall& call : of_thread) times.Begin(call);
    times.EndAll();
    begin = end;
  }

  std::erase_if(totals, [](const OperatorTotal& total) { return total.calls == 0; });
  std::sort(totals.begin(), totals.end(), [&](const auto& a, const auto& b) {
    if (a.time_total_ns != b.time_total_ns) return a.time_total_ns > b.time_total_ns;
    return rows.names.text(a.name) < rows.names.text(b.name);
  });
  return totals;
}

}  // namespace ridgeline::analysis
