// Selects the kernels to profile with ncu: counters require replaying each launch, so
// only important ones are worth it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pipeline/past_results.h"
#include "stages/ncu/options.h"

namespace ridgeline::stages {

struct NcuSelection {
  std::vector<pipeline::KernelTime> kernels;  // Empty: all.
  double share = 0;                           // Of the time of all kernels.
  int64_t launches = 0;                       // Launches to be profiled.
  double estimated_s = 0;                     // Estimated profiling time.
  // For --kernel-name: "regex:^a$|^b$"; empty: all.
  std::string filter;
};

// The longest kernels, except those in options.kernel_exclude, until they account for
// plan_share or would exceed plan_budget_s. `passes`: replays per launch.
Result<NcuSelection> SelectKernels(const std::vector<pipeline::KernelTime>& all,
                                   const NcuOptions& options, int64_t passes);

// Maximum number of launches to profile in one run: those of the selection, or, if it is
// empty, as many as run.top_n_kernels kernels have and as fit into the stage's timeout.
// nullopt: no limit, or options.launch_count is set.
std::optional<int64_t> SampledLaunches(const NcuSelection& selection,
                                       const NcuOptions& options, int64_t passes);

// Overrides that make a selection fit into the stage's timeout; empty: it fits.
std::vector<std::string> OverridesThatFit(const NcuSelection& selection,
                                          const NcuOptions& options);

// The kernels of a list written by `ridgeline top-kernels`; `origin` is named in errors.
Result<std::vector<pipeline::KernelTime>> ReadKernelConfig(const std::string& yaml,
                                                           const std::string& origin);

// The selection as YAML, for people and for ncu-kernels.
std::string SelectionYaml(const NcuSelection& selection);

}  // namespace ridgeline::stages
