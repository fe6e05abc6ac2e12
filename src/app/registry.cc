#include "app/registry.h"

#include "stages/direct_inference.h"
#include "stages/ncu/ncu.h"
#include "stages/nsys/nsys.h"
#include "stages/static_analysis.h"
#include "stages/torch_profiler.h"
#include "workloads/make_workload.h"

namespace ridgeline::app {
namespace {

// ncu needs nothing: without the kernels that nsys saw it looks at all of them.
constexpr pipeline::StageEntry kStages[] = {
    {"static_analysis", {}, stages::MakeStaticAnalysis},
    {"torch_profiler", {}, stages::MakeTorchProfiler},
    {"direct_inference", {}, stages::MakeDirectInference},
    {"nsys", {}, stages::MakeNsys},
    {"ncu", {}, stages::MakeNcu},
};

}  // namespace

std::span<const pipeline::StageEntry> Stages() { return kStages; }

pipeline::MakeWorkload WorkloadMaker() { return workloads::MakeWorkload; }

}  // namespace ridgeline::app
