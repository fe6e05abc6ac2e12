// pipeline.nsys.* in the configuration.
#pragma once

#include <string>
#include <vector>

#include "config/error.h"
#include "pipeline/stage.h"

namespace ridgeline::stages {

struct NsysOptions {
  std::vector<std::string> trace = {"cuda", "nvtx"};
  std::string sample = "none";
  std::string cpuctxsw = "none";
  bool gating_nvtx = true;
  bool nvtx_dry_run = true;  // Only if the capture waits for an NVTX range.
  bool redact_env = true;
  pipeline::CaptureLimits limits;
  std::string capture_range = "none";
  // Empty: not passed, and nsys ends the program with the range.
  std::string capture_range_end;
  // Required if capture_range is "nvtx". nsys supports one range per run, so each gets a
  // separate run.
  std::vector<std::string> nvtx_capture;
  std::vector<std::string> nvtx_domain_include;
  std::vector<std::string> nvtx_domain_exclude;
  std::string cuda_graph_trace;  // Empty: default of nsys.
  std::vector<std::string> gpu_metrics;
  bool force_overwrite = true;
  std::vector<std::string> extra_args;

  bool IsGated() const;
  bool WaitsForNvtx() const { return IsGated() && capture_range == "nvtx"; }
  // Whether nsys itself ends the program at the end of the range.
  bool EndsTheProgram() const;
  // Number of ranges for `repeat:2` and `repeat-shutdown:2`; 0: unlimited, or no
  // repetition.
  int RepeatCount() const;
  bool Repeats() const { return IsGated() && capture_range_end.starts_with("repeat"); }
  bool Traces(std::string_view source) const;
  bool RecordsNvtx() const;
};

config::Result<NsysOptions> ReadNsysOptions(const pipeline::StageConfig& config);

}  // namespace ridgeline::stages
