#pragma once

#include <memory>

#include "pipeline/stage.h"

namespace ridgeline::stages {

struct DirectInferenceOptions {
  int64_t repeats = 1;
  int64_t warmup_calls = 2;  // For Python programs: not in the statistics.
};

// The unmodified workload, without a profiler: the times to trust.
class DirectInference final : public pipeline::Stage {
 public:
  explicit DirectInference(DirectInferenceOptions options) : options_(options) {}
  pipeline::StagePlan Plan(const pipeline::StagePlace& place) const override;
  pipeline::StageOutcome Run(pipeline::StageContext& context) override;

 private:
  DirectInferenceOptions options_;
};

config::Result<std::unique_ptr<pipeline::Stage>> MakeDirectInference(
    const pipeline::StageConfig& config);

pipeline::KeyGroup DirectInferenceKeys();

}  // namespace ridgeline::stages
