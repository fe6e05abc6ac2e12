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

// The calls of one thread after those of another, each in the order of the file.
// `ends[t]` becomes the end of thread t.
std::vector<ThreadCall> ByThread(const TraceRows& rows, std::vector<size_t>& ends) {
  ends.assign(rows.thread_count, 0);
  for (const ThreadCall& call : rows.operators) ++ends[call.thread];
  size_t begin = 0;
  for (size_t& end : ends) begin += std::exchange(end, begin);
  std::vector<ThreadCall> calls(rows.operators.size());
  for (const ThreadCall& call : rows.operators) calls[ends[call.thread]++] = call;
  return calls;
}

// An operator that holds another comes before it. Of two with equal times the first in
// the file holds the second.
bool ComesBefore(const ThreadCall& a, const ThreadCall& b) {
  if (a.start_ns != b.start_ns) return a.start_ns < b.start_ns;
  return a.duration_ns > b.duration_ns;
}

// Sweeps over one thread. `now_` is how far its time was given away.
class SelfTimes {
 public:
  explicit SelfTimes(std::vector<OperatorTotal>& totals) : totals_(totals) {}

  void Begin(const ThreadCall& call) {
    while (!open_.empty() && EndOf(*open_.back()) <= call.start_ns) EndLast();
    if (!open_.empty()) GiveTo(*open_.back(), call.start_ns);
    now_ = std::max(now_, call.start_ns);
    open_.push_back(&call);
  }

  void EndAll() {
    while (!open_.empty()) EndLast();
  }

 private:
  static int64_t EndOf(const ThreadCall& call) {
    return call.start_ns + call.duration_ns;
  }

  void EndLast() {
    GiveTo(*open_.back(), EndOf(*open_.back()));
    open_.pop_back();
  }

  // The time from `now_` on.
  void GiveTo(const ThreadCall& call, int64_t until_ns) {
    if (until_ns <= now_) return;
    int64_t& self_ns = totals_[call.name].time_self_ns;
    self_ns = SaturatingAdd(self_ns, until_ns - now_);
    now_ = until_ns;
  }

  std::vector<OperatorTotal>& totals_;  // By name.
  std::vector<const ThreadCall*> open_;
  int64_t now_ = std::numeric_limits<int64_t>::min() / 2;
};

void AddSelfTimes(std::span<ThreadCall> calls, std::vector<OperatorTotal>& totals) {
  if (!std::is_sorted(calls.begin(), calls.end(), ComesBefore)) {
    std::stable_sort(calls.begin(), calls.end(), ComesBefore);
  }
  SelfTimes times(totals);
  for (const ThreadCall& call : calls) times.Begin(call);
  times.EndAll();
}

void AddToTotal(const ThreadCall& call, OperatorTotal& total) {
  const bool is_first = total.calls == 0;
  const int64_t ns = call.duration_ns;
  ++total.calls;
  total.time_total_ns = SaturatingAdd(total.time_total_ns, ns);
  total.time_min_ns = is_first ? ns : std::min(total.time_min_ns, ns);
  total.time_max_ns = is_first ? ns : std::max(total.time_max_ns, ns);
}

}  // namespace

std::vector<OperatorTotal> OperatorTotals(const TraceRows& rows) {
  std::vector<OperatorTotal> totals(rows.names.size());
  for (size_t name = 0; name < totals.size(); ++name) {
    totals[name].name = static_cast<StringId>(name);
  }
  for (const ThreadCall& call : rows.operators) AddToTotal(call, totals[call.name]);

  std::vector<size_t> ends;
  std::vector<ThreadCall> calls = ByThread(rows, ends);
  size_t begin = 0;
  for (const size_t end : ends) {
    AddSelfTimes(std::span(calls).subspan(begin, end - begin), totals);
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
