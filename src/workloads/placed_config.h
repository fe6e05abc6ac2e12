// The configuration of a built-in model for one of its runs: where it writes, and how
// much it does under a profiler.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "config/value/value.h"
#include "pipeline/workload.h"

namespace ridgeline::workloads {

// Stages whose runs of a model have outputs.
inline constexpr std::string_view kStagesWithOutput[] = {"torch_profiler",
                                                         "direct_inference"};
inline constexpr std::string_view kOutputs[] = {"prediction", "visualization"};

// "a/b/" -> "a/b".
std::filesystem::path WithoutSlash(const std::filesystem::path& path);

// A relative save_dir of a stage, seen from the run directory: "../x" of torch_profiler
// is "x", "a/b" is "torch_profiler/a/b". Begins with ".." if it is outside.
std::filesystem::path SaveDirInRun(std::string_view stage,
                                   const std::filesystem::path& save_dir);

// For kCapture: outputs below `place.output` alone, no drawings, and no more samples,
// passes and tokens than its limits. Otherwise, save_dir that leaves the directory of its
// stage becomes absolute, because stages work elsewhere until they are done.
config::Value PlacedConfig(config::Value config, const pipeline::WorkloadPlace& place);

// Names in the run directory of directories that outputs have next to those of stages.
std::vector<std::string> OutputNamesInRun(const config::Value& config);

}  // namespace ridgeline::workloads
