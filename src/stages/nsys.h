#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/stage.h"

namespace ridgeline::stages {

// pipeline.nsys.* of the configuration.
struct NsysOptions {
  std::vector<std::string> trace = {"cuda", "nvtx", "osrt"};
  std::string sample = "none";
  std::string cpuctxsw = "none";
  bool gating_nvtx = true;
  bool nvtx_dry_run = true;  // Only where the capture waits for an NVTX range.
  std::string capture_range = "none";
  std::string capture_range_end;  // Empty: `stop` when gated, else not passed.
  std::string nvtx_capture;       // Needed when capture_range is "nvtx".
  std::vector<std::string> nvtx_domain_include;
  std::vector<std::string> nvtx_domain_exclude;
  std::string cuda_graph_trace;  // Empty: nsys decides.
  std::vector<std::string> gpu_metrics;
  bool force_overwrite = true;
  std::vector<std::string> extra_args;

  bool IsGated() const;
  bool WaitsForNvtx() const { return IsGated() && capture_range == "nvtx"; }
  // Whether nsys ends the program itself when the range ends.
  bool EndsTheProgram() const;
};

// The command line of one `nsys profile` whose reports begin with `report_base`.
os::Command BuildNsysCommand(const NsysOptions& options, const os::Command& workload,
                             const std::filesystem::path& report_base);

// A timeline with Nsight Systems.
class Nsys final : public pipeline::Stage {
 public:
  explicit Nsys(NsysOptions options) : options_(std::move(options)) {}
  pipeline::StagePlan Plan(const pipeline::StagePlace& place) const override;
  pipeline::StageOutcome Run(pipeline::StageContext& context) override;

 private:
  NsysOptions options_;
};

config::Result<std::unique_ptr<pipeline::Stage>> MakeNsys(
    const pipeline::StageConfig& config);

}  // namespace ridgeline::stages
