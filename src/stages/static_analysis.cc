#include "stages/static_analysis.h"

namespace ridgeline::stages {
namespace {

class StaticAnalysis final : public pipeline::Stage {
 public:
  pipeline::StagePlan Plan(const pipeline::StagePlace& place) const override {
    pipeline::StagePlan plan;
    plan.skip = place.workload.IsModel()
                    ? "this build has no built-in model"
                    : "the workload is a program, and only a built-in model can be "
                      "looked into";
    return plan;
  }
  pipeline::StageOutcome Run(pipeline::StageContext&) override {
    return pipeline::Skipped{"this build has no built-in model"};
  }
};

}  // namespace

config::Result<std::unique_ptr<pipeline::Stage>> MakeStaticAnalysis(
    const pipeline::StageConfig&) {
  return std::unique_ptr<pipeline::Stage>(std::make_unique<StaticAnalysis>());
}

}  // namespace ridgeline::stages
