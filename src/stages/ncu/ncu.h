#pragma once

#include <memory>

#include "pipeline/stage.h"
#include "stages/ncu/capabilities.h"
#include "stages/ncu/jobs.h"
#include "stages/ncu/options.h"
#include "stages/ncu/outcome.h"
#include "stages/ncu/selection.h"

namespace ridgeline::stages {

// Hardware counters with Nsight Compute.
class Ncu final : public pipeline::Stage {
 public:
  Ncu(NcuOptions options, NcuFacts facts)
      : options_(std::move(options)), facts_(std::move(facts)) {}
  pipeline::StagePlan Plan(const pipeline::StagePlace& place) const override;
  pipeline::StageOutcome Run(pipeline::StageContext& context) override;

 private:
  pipeline::PlannedCommand CommandOf(const pipeline::StagePlace& place, const NcuJob& job,
                                     const std::string& attempt = "") const;
  // The kernels of this run, or of a list; none: all.
  Result<NcuSelection> Select(pipeline::StageContext& context) const;
  // One run of the program, and one more if it showed no kernels.
  Result<NcuOutcome> Do(pipeline::StageContext& context, const NcuJob& job) const;
  Result<NcuOutcome> Profile(pipeline::StageContext& context,
                             const pipeline::PlannedCommand& planned,
                             const NcuJob& job) const;
  Status Export(pipeline::StageContext& context, const NcuJob& job) const;

  const NcuOptions options_;
  const NcuFacts facts_;
};

config::Result<std::unique_ptr<pipeline::Stage>> MakeNcu(
    const pipeline::StageConfig& config);

}  // namespace ridgeline::stages
