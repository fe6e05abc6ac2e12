#include "app/registry.h"

#include "app/run/keys.h"
#include "pipeline/config_schema.h"
#include "stages/direct_inference.h"
#include "stages/ncu/ncu.h"
#include "stages/nsys/nsys.h"
#include "stages/static_analysis.h"
#include "stages/torch_profiler.h"
#include "workloads/keys.h"
#include "workloads/make_workload.h"

namespace ridgeline::app {
namespace {

// ncu depends on no other stage: without kernels from nsys it profiles all of them.
constexpr pipeline::StageEntry kStages[] = {
    {"static_analysis", {}, stages::MakeStaticAnalysis, stages::StaticAnalysisKeys},
    {"torch_profiler", {}, stages::MakeTorchProfiler, stages::TorchProfilerKeys},
    {"direct_inference", {}, stages::MakeDirectInference, stages::DirectInferenceKeys},
    {"nsys", {}, stages::MakeNsys, stages::NsysKeys, stages::NsysOutcomes},
    {"ncu", {}, stages::MakeNcu, stages::NcuKeys, stages::NcuOutcomes},
};

}  // namespace

std::span<const pipeline::StageEntry> Stages() { return kStages; }

pipeline::MakeWorkload WorkloadMaker() { return workloads::MakeWorkload; }

std::vector<pipeline::KeyGroup> KeyGroups() {
  std::vector<pipeline::KeyGroup> groups = {RunKeys()};
  const std::span<const pipeline::KeyGroup> workload = workloads::KeyGroups();
  groups.insert(groups.end(), workload.begin(), workload.end());
  for (const pipeline::StageEntry& stage : kStages) groups.push_back(stage.keys());
  return groups;
}

std::vector<config::Error> CheckConfig(config::Workspace& workspace,
                                       config::Node& job_config,
                                       pipeline::UnknownKeys unknown) {
  return pipeline::CheckConfig(workspace, job_config, KeyGroups(), unknown);
}

}  // namespace ridgeline::app
