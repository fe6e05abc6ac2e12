// Which start/end ranges of a process are open at a moment?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "results/nsys_rows.h"

namespace ridgeline::analysis {

class OpenRanges {
 public:
  // Of more ranges that are open at once, those that began first are no longer followed:
  // a program that never ends them would otherwise take the square of their number.
  static constexpr size_t kMaxOpen = 64;

  explicit OpenRanges(const results::NsysRows& rows);

  // By index in NsysRows::nvtx_ranges, those that began first before the others.
  std::span<const uint32_t> At(uint32_t process, int64_t now_ns) const;
  // Ranges that were not followed to their end.
  int64_t given_up() const { return given_up_; }

 private:
  struct Edge;
  // From here until the next step the same ranges are open.
  struct Step {
    uint32_t process = 0;
    int64_t from_ns = 0;
    size_t end = 0;  // In open_; the list begins where that of the step before ends.
  };

  void Apply(const Edge& edge, std::vector<uint32_t>& open);

  std::vector<Step> steps_;  // By process and time.
  std::vector<uint32_t> open_;
  int64_t given_up_ = 0;
};

}  // namespace ridgeline::analysis
