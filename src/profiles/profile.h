// A profile in memory: what the readers of profiles/formats.h yield.
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
  std::string file;         // As it was given.
  std::string_view format;  // Id of the format: "nsys_sqlite".
  std::string tool;         // With its version, if the file has it: "nsys 2024.5.1".
  int64_t file_bytes = 0;   // As stored: compressed, if the file is.
  // Variables of the process environment in the file, and how many of them have the name
  // of a secret. Their values are never read.
  int64_t environment_values = 0;
  int64_t environment_secrets = 0;
};

// Each kind of rows also counts the records that were dropped (`left_out`).
using ProfileRows = std::variant<results::TraceRows, results::NsysRows,
                                 results::KernelSummary, results::NcuRows>;

struct Profile {
  ProfileInfo info;
  ProfileRows rows;
};

}  // namespace ridgeline::profiles
