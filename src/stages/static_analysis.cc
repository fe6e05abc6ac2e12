#include "stages/static_analysis.h"

namespace ridgeline::stages {
namespace {

class StaticAnalysis final : public pipeline::Stage {
 public:
  pipeline::StagePlan Plan(const pipeline::StagePlace& place) const override {
    pipeline::StagePlan plan;
    plan.skip = place.workload.IsModel()
                    ? "it is not part of this version yet"
                    : "the workload is a program, and only a built-in model can be "
                      "looked into";
    return plan;
  }
  pipeline::StageOutcome Run(pipeline::StageContext&) override {
    return pipeline::Skipped{"it is not part of this version yet"};
  }
};

}  // namespace

config::Result<std::unique_ptr<pipeline::Stage>> MakeStaticAnalysis(
    const pipeline::StageConfig&) {
  return std::unique_ptr<pipeline::Stage>(std::make_unique<StaticAnalysis>());
}

}  // namespace ridgeline::stages
