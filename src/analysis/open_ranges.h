// Start/end ranges of a process that are open at a given time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "results/nsys_rows.h"

namespace ridgeline::analysis {

class OpenRanges {
 public:
  // If more ranges are open at once, the oldest ones are no longer tracked: a program
  // that never closes them would otherwise take quadratic time.
  static constexpr size_t kMaxOpen = 64;

  explicit OpenRanges(const results::NsysRows& rows);

  // Indexes into NsysRows::nvtx_ranges, oldest first.
  std::span<const uint32_t> At(uint32_t process, int64_t now_ns) const;
  // Ranges that were not tracked until their end.
  int64_t given_up() const { return given_up_; }

 private:
  struct Edge;
  // The set of open ranges is constant from here to the next step.
  struct Step {
    uint32_t process = 0;
    int64_t from_ns = 0;
    size_t end = 0;  // End of its list in open_; begins at the previous step's end.
  };

  void Apply(const Edge& edge, std::vector<uint32_t>& open);

  std::vector<Step> steps_;  // By process and time.
  std::vector<uint32_t> open_;
  int64_t given_up_ = 0;
};

}  // namespace ridgeline::analysis
