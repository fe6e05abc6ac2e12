#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "inference/recorder/op_recorder.h"
#include "inference/session.h"
#include "model_io/datasets/dataset_options.h"
#include "model_io/predictions/write_outputs.h"

namespace ridgeline::inference {

// pipeline.torch_profiler: the pass whose operators are recorded.
struct ProfileOptions {
  bool enabled = false;
  inference::RecorderOptions recorder;
  // Activities.
  bool cpu = false;
  bool cuda = false;
  bool group_by_input_shape = false;
  int64_t max_new_tokens = 8192;  // run.representative_max_new_tokens, if set.
};

// Configuration of a run of the built-in model.
struct Options {
  std::string model;  // Name.
  inference::SessionOptions session;
  int64_t max_new_tokens = 8192;
  int64_t repeats = 1;
  int64_t warmup_rounds = 0;
  bool warmup_synthetic = true;  // With a synthetic page.
  datasets::DatasetOptions dataset;
  // Directories are relative to the output of the run, or absolute.
  predictions::OutputOptions output;
  ProfileOptions profile;
  bool count_synthetic = true;  // pipeline.static_analysis.use_synthetic_inputs
  std::optional<std::filesystem::path> parity_reference;
  double parity_logits_tolerance = 0;
  bool is_capture = false;    // Task::kRepresentative: predictions may be truncated.
  std::string config_sha256;  // Of the configuration file and the task.
};

// Task of a `ridgeline-model` process.
enum class Task {
  kRun,             // Every sample, as configured; outputs of direct_inference.
  kRepresentative,  // Profilers: at most run.representative_max_new_tokens per sample.
  kProfile,         // kRun, and one sample under the operator recorder.
  kCount,           // Counts operators; on a GPU, also measures its ceilings.
  kMeasure,         // Only measures the ceilings.
};

struct OptionsRequest {
  std::filesystem::path working_directory;  // Base of relative paths.
  Task task = Task::kRun;
};

// From a file with a composed configuration.
ridgeline::Result<Options> ReadOptionsFile(const std::string& file,
                                           const OptionsRequest& request);

// From a composed and validated configuration.
config::Result<Options> ReadOptions(config::Workspace& workspace, config::Node& root,
                                    const OptionsRequest& request);

}  // namespace ridgeline::inference
