#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/stage.h"

namespace ridgeline::stages {

// pipeline.ncu.* of the configuration; empty: the flag is not passed.
struct NcuOptions {
  bool gating_nvtx = true;
  std::string target_processes = "all";
  std::string replay_mode;
  std::vector<std::string> nvtx_include;
  std::string set;
  std::vector<std::string> sections;
  std::vector<std::string> metrics;
  std::string kernel_name;
  std::string kernel_name_base;
  std::optional<int64_t> launch_skip;
  std::optional<int64_t> launch_count;
  std::string clock_control;
  std::string cache_control;
  bool export_csv = true;
  bool force_overwrite = true;
  std::vector<std::string> extra_args;
};

// The command line of one `ncu` that writes `report` (without its ending).
os::Command BuildNcuCommand(const NcuOptions& options, const os::Command& workload,
                            const std::filesystem::path& report);

// Hardware counters with Nsight Compute.
class Ncu final : public pipeline::Stage {
 public:
  explicit Ncu(NcuOptions options) : options_(std::move(options)) {}
  pipeline::StagePlan Plan(const pipeline::StagePlace& place) const override;
  pipeline::StageOutcome Run(pipeline::StageContext& context) override;

 private:
  NcuOptions options_;
};

config::Result<std::unique_ptr<pipeline::Stage>> MakeNcu(
    const pipeline::StageConfig& config);

}  // namespace ridgeline::stages
