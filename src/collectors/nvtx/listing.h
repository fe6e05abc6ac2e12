// The NVTX ranges of a whole program, its children included.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "collectors/nvtx/process_events.h"

namespace ridgeline::nvtx {

struct ListedProcess {
  int64_t pid = 0;
  int64_t parent_pid = 0;
  std::string program;
  bool complete = false;
  int64_t threads = 0;
};

struct Listing {
  std::vector<RangeRow> ranges;          // In the order in which they first appeared.
  std::vector<ListedProcess> processes;  // Those that used NVTX.
  LeftOut left_out;
};

// The same label in the same place is one row, whichever process opened it.
Listing Merge(std::span<const ProcessEvents> processes);

// A table for people, with notes below it; ends with a newline. Without any range: that
// there is none, and what may be the reason.
std::string ToText(const Listing& listing);

}  // namespace ridgeline::nvtx
