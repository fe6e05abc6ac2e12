// Calls of a trace by thread, in nesting order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "results/trace_rows.h"

namespace ridgeline::analysis {

// An enclosing call sorts before those inside it. Of two calls with equal times, the
// first in the file encloses the second.
bool BeginsBefore(const results::ThreadCall& a, const results::ThreadCall& b);

// Indexes of calls, grouped by thread; within a thread in BeginsBefore order.
class CallOrder {
 public:
  CallOrder(const std::vector<results::ThreadCall>& calls, uint32_t threads);

  std::span<const uint32_t> OfThread(uint32_t thread) const {
    return std::span(order_).subspan(begins_[thread],
                                     begins_[thread + 1] - begins_[thread]);
  }

 private:
  std::vector<uint32_t> order_;
  std::vector<size_t> begins_;
};

}  // namespace ridgeline::analysis
