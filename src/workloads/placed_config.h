// The configuration of a built-in model for one run: output directories, and limits under
// a profiler.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "config/value/value.h"
#include "pipeline/workload.h"

namespace ridgeline::workloads {

// Stages in which a model writes outputs.
inline constexpr std::string_view kStagesWithOutput[] = {"torch_profiler",
                                                         "direct_inference"};
inline constexpr std::string_view kOutputs[] = {"prediction", "visualization"};

// "a/b/" -> "a/b"
std::filesystem::path WithoutSlash(const std::filesystem::path& path);

// A relative save_dir of a stage as a path in the run directory: "../x" of torch_profiler
// is "x", "a/b" is "torch_profiler/a/b". Begins with ".." if it is outside.
std::filesystem::path SaveDirInRun(std::string_view stage,
                                   const std::filesystem::path& save_dir);

// For kCapture: outputs only below `place.output`, no drawings, and samples, passes and
// tokens within its limits. Otherwise, a save_dir outside the directory of its stage
// becomes absolute, because stages work in another directory until they are done.
config::Value PlacedConfig(config::Value config, const pipeline::WorkloadPlace& place);

// Names of output directories in the run directory, next to those of stages.
std::vector<std::string> OutputNamesInRun(const config::Value& config);

}  // namespace ridgeline::workloads
