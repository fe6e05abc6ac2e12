// Which kernels ncu looks at: counters cost a replay of each launch, so that only those
// that matter are worth it.
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
  int64_t launches = 0;                       // Of these kernels that are profiled.
  double estimated_s = 0;                     // That profiling them takes.
  // For --kernel-name: "regex:^a$|^b$"; empty: all.
  std::string filter;
};

// The longest of them, without those that options.kernel_exclude names, until they make
// up plan_share or would take longer than plan_budget_s. `passes` is how often a launch
// is replayed.
Result<NcuSelection> SelectKernels(const std::vector<pipeline::KernelTime>& all,
                                   const NcuOptions& options, int64_t passes);

// At most so many launches are profiled in one run: those of the selection, or, if it is
// empty, as many as run.top_n_kernels kernels have and fit into the stage's timeout.
// Nothing: no limit, or options.launch_count is one.
std::optional<int64_t> SampledLaunches(const NcuSelection& selection,
                                       const NcuOptions& options, int64_t passes);

// Overrides with which a selection fits into the stage's timeout; empty: it fits.
std::vector<std::string> OverridesThatFit(const NcuSelection& selection,
                                          const NcuOptions& options);

// The kernels of a list that `ridgeline top-kernels` has written; `origin` is named in
// errors.
Result<std::vector<pipeline::KernelTime>> ReadKernelConfig(const std::string& yaml,
                                                           const std::string& origin);

// The selection for people and for ncu-kernels, as YAML.
std::string SelectionYaml(const NcuSelection& selection);

}  // namespace ridgeline::stages
