// A profile in memory, as returned by the readers of profiles/formats.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "results/kernel_summary.h"
#include "results/ncu_rows.h"
#include "results/nsys_rows.h"
#include "results/trace_rows.h"

namespace ridgeline::profiles {

struct ProfileInfo {
  std::string file;         // As given.
  std::string_view format;  // Id of the format: "nsys_sqlite".
  std::string tool;         // With version, if in the file: "nsys 2024.5.1".
  int64_t file_bytes = 0;   // On disk: compressed, if the file is.
  // Number of environment variables in the file, and how many of them have the name of a
  // secret. Their values are never read.
  int64_t environment_values = 0;
  int64_t environment_secrets = 0;
};

// Each kind of rows also counts dropped records (`left_out`).
using ProfileRows = std::variant<results::TraceRows, results::NsysRows,
                                 results::KernelSummary, results::NcuRows>;

struct Profile {
  ProfileInfo info;
  ProfileRows rows;
};

}  // namespace ridgeline::profiles
