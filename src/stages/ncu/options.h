// pipeline.ncu.* in the configuration; empty: the flag is not passed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/error.h"
#include "pipeline/stage.h"

namespace ridgeline::stages {

struct NcuOptions {
  pipeline::CaptureLimits limits;
  bool gating_nvtx = true;
  std::string target_processes = "all";
  std::string replay_mode;
  std::vector<std::string> nvtx_include;
  bool has_default_include = false;  // Not the user's choice.
  std::string set;
  std::vector<std::string> sections;
  std::vector<std::string> metrics;
  std::string kernel_name;
  std::string kernel_name_base;
  std::vector<std::string> kernel_exclude;    // Of a selection: names or regex:...
  std::filesystem::path kernel_config;        // From `ridgeline top-kernels`.
  int64_t top_kernels = 30;                   // Maximum number selected.
  double plan_share = 1;                      // Share of kernel time to select.
  std::optional<double> plan_budget_s = 600;  // Limit for the estimated time.
  // Per kernel, unless launch_count is set; nullopt: all.
  std::optional<int64_t> launches_per_kernel = 20;
  // --launch-count over all kernels of a run, derived from launches_per_kernel.
  std::optional<int64_t> sampled_launches;
  std::optional<double> timeout_s;  // Of the stage.
  std::optional<int64_t> launch_skip;
  std::optional<int64_t> launch_count;
  std::string clock_control;
  std::string cache_control;
  bool export_csv = true;
  bool force_overwrite = true;
  std::vector<std::string> extra_args;

  bool IsGated() const { return gating_nvtx && !nvtx_include.empty(); }
  bool RecordsNvtx() const;
};

config::Result<NcuOptions> ReadNcuOptions(const pipeline::StageConfig& config);

}  // namespace ridgeline::stages
