#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analysis/trace_findings.h"

namespace ridgeline::analysis {
namespace {

struct Call {
  const char* name;
  int64_t start_ns;
  int64_t end_ns;
  uint32_t thread = 0;
};

// "a: 2 calls, total 5, self 3, 1 to 4"
std::vector<std::string> Totals(const std::vector<Call>& calls) {
  results::TraceRows rows;
  rows.thread_count = 2;
  for (const Call& call : calls) {
    rows.operators.push_back({call.start_ns, call.end_ns - call.start_ns,
                              rows.names.Intern(call.name), call.thread});
  }
  std::vector<std::string> lines;
  for (const results::OperatorTotal& total : OperatorTotals(rows)) {
    lines.push_back(
        std::string(rows.names.text(total.name)) + ": " + std::to_string(total.calls) +
        " calls, total " + std::to_string(total.time_total_ns) + ", self " +
        std::to_string(total.time_self_ns) + ", " + std::to_string(total.time_min_ns) +
        " to " + std::to_string(total.time_max_ns));
  }
  return lines;
}

TEST(OperatorTotalsTest, GivesEveryInstantToTheInnermostOperator) {
  struct Case {
    const char* what;
    std::vector<Call> calls;
    std::vector<std::string> want;
  };
  const Case cases[] = {
      {"nothing", {}, {}},
      {"nested, in any order",
       {{"b", 2, 4}, {"a", 0, 10}, {"b", 5, 6}},
       {"a: 1 calls, total 10, self 7, 10 to 10", "b: 2 calls, total 3, self 3, 1 to 2"}},
      {"three levels",
       {{"a", 0, 10}, {"b", 1, 9}, {"c", 2, 5}},
       {"a: 1 calls, total 10, self 2, 10 to 10", "b: 1 calls, total 8, self 5, 8 to 8",
        "c: 1 calls, total 3, self 3, 3 to 3"}},
      {"other threads do not nest",
       {{"a", 0, 10, 0}, {"b", 2, 4, 1}},
       {"a: 1 calls, total 10, self 10, 10 to 10",
        "b: 1 calls, total 2, self 2, 2 to 2"}},
      {"of equal times the second is inside",
       {{"a", 0, 4}, {"b", 0, 4}},
       {"a: 1 calls, total 4, self 0, 4 to 4", "b: 1 calls, total 4, self 4, 4 to 4"}},
      {"the longer of two that begin at once is outside",
       {{"b", 0, 3}, {"a", 0, 4}},
       {"a: 1 calls, total 4, self 1, 4 to 4", "b: 1 calls, total 3, self 3, 3 to 3"}},
      {"overlapping without nesting",
       {{"a", 0, 10}, {"b", 5, 15}},
       {"a: 1 calls, total 10, self 5, 10 to 10",
        "b: 1 calls, total 10, self 10, 10 to 10"}},
      {"itself", {{"a", 0, 10}, {"a", 2, 8}}, {"a: 2 calls, total 10, self 10, 6 to 10"}},
      {"itself, through another, and again after it",
       {{"a", 0, 10}, {"b", 1, 9}, {"a", 2, 8}, {"a", 20, 25}},
       {"a: 3 calls, total 15, self 13, 5 to 10", "b: 1 calls, total 8, self 2, 8 to 8"}},
      {"itself on another thread",
       {{"a", 0, 10, 0}, {"a", 2, 8, 1}},
       {"a: 2 calls, total 16, self 16, 6 to 10"}},
      {"overlapping itself without nesting",
       {{"a", 0, 10}, {"a", 5, 15}},
       {"a: 2 calls, total 15, self 15, 10 to 10"}},
      {"one after the other, and one of no time",
       {{"a", 0, 5}, {"b", 5, 9}, {"c", 9, 9}},
       {"a: 1 calls, total 5, self 5, 5 to 5", "b: 1 calls, total 4, self 4, 4 to 4",
        "c: 1 calls, total 0, self 0, 0 to 0"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Totals(c.calls), c.want);
  }
}

}  // namespace
}  // namespace ridgeline::analysis
