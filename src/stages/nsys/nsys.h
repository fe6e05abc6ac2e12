#pragma once

#include <memory>

#include "pipeline/stage.h"
#include "stages/nsys/capabilities.h"
#include "stages/nsys/command.h"
#include "stages/nsys/options.h"

namespace ridgeline::stages {

// A timeline with Nsight Systems.
class Nsys final : public pipeline::Stage {
 public:
  Nsys(NsysOptions options, NsysFacts facts)
      : options_(std::move(options)), facts_(std::move(facts)) {}
  pipeline::StagePlan Plan(const pipeline::StagePlace& place) const override;
  pipeline::StageOutcome Run(pipeline::StageContext& context) override;

 private:
  // One run of the workload under nsys.
  struct Capture {
    std::string nvtx_capture;  // Empty: it waits for no NVTX range.
    std::string base;          // Of its files: "run", or "run.decode" of several.
  };
  std::vector<Capture> Captures() const;
  std::vector<NsysCommand> Commands(const pipeline::StagePlace& place) const;
  Result<std::vector<std::string>> RunCapture(pipeline::StageContext& context,
                                              const pipeline::PlannedCommand& planned,
                                              const Capture& capture);

  const NsysOptions options_;
  const NsysFacts facts_;
};

config::Result<std::unique_ptr<pipeline::Stage>> MakeNsys(
    const pipeline::StageConfig& config);

}  // namespace ridgeline::stages
