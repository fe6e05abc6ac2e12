// How much of the machine we are let to use.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "hardware/system_files.h"

namespace ridgeline::hardware {

// A limit of the process: a number, or that there is none.
struct ProcessLimit {
  std::optional<int64_t> value;  // Nothing: unlimited.

  bool operator==(const ProcessLimit&) const = default;
};

struct Limits {
  // Nothing: not known. These are the soft ones, which are in force.
  std::optional<ProcessLimit> open_files;
  std::optional<ProcessLimit> locked_memory_bytes;
  // Of the control groups around us, the tightest. Nothing: none, or not known.
  std::optional<int64_t> cgroup_memory_bytes;
  std::optional<double> cgroup_cpus;  // 1.5: one and a half threads' worth of time.
};

// The soft limit of one line of /proc/self/limits, such as
//   Max open files            20000                20000                files
std::optional<ProcessLimit> ParseProcessLimit(std::string_view limits,
                                              std::string_view name);

Limits ReadLimits(const SystemFiles& files = SystemFiles());

}  // namespace ridgeline::hardware
