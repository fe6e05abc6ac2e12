// Calls of a trace by thread, in the order in which they nest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "results/trace_rows.h"

namespace ridgeline::analysis {

// One that holds another comes before it. Of two with equal times the first in the file
// holds the second.
bool BeginsBefore(const results::ThreadCall& a, const results::ThreadCall& b);

// Indexes of calls: thread by thread, and of one thread in the order of BeginsBefore.
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
