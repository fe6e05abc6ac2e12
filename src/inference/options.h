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

// pipeline.torch_profiler: the one pass whose operators are recorded.
struct ProfileOptions {
  bool enabled = false;
  inference::RecorderOptions recorder;
  // The activities.
  bool cpu = false;
  bool cuda = false;
  bool group_by_input_shape = false;
  int64_t max_new_tokens = 8192;  // run.representative_max_new_tokens, if it is set.
};

// Configuration of a run of the built-in model.
struct Options {
  std::string model;  // Its name.
  inference::SessionOptions session;
  int64_t max_new_tokens = 8192;
  int64_t repeats = 1;
  int64_t warmup_rounds = 0;
  bool warmup_synthetic = true;  // On a made-up page.
  datasets::DatasetOptions dataset;
  // Directories of it are relative to what the run writes, or absolute.
  predictions::OutputOptions output;
  ProfileOptions profile;
  bool count_synthetic = true;  // pipeline.static_analysis.use_synthetic_inputs
  std::optional<std::filesystem::path> parity_reference;
  double parity_logits_tolerance = 0;
  bool is_capture = false;  // Task::kRepresentative: its predictions may be cut off.
  std::string config_sha256;  // Of the file that they come from, and the task.
};

// What `ridgeline-model` is started for.
enum class Task {
  kRun,             // Every sample, as configured; outputs of direct_inference.
  kRepresentative,  // At most run.representative_max_new_tokens per sample: profilers.
  kProfile,         // kRun, and one sample under the operator recorder.
  kCount,           // Count operators; on a GPU, measure its ceilings as well.
  kMeasure,         // Only measure the ceilings.
};

struct OptionsRequest {
  std::filesystem::path working_directory;  // Where relative paths begin.
  Task task = Task::kRun;
};

// From a composed configuration in a file.
ridgeline::Result<Options> ReadOptionsFile(const std::string& file,
                                           const OptionsRequest& request);

// From a composed configuration that has been checked.
config::Result<Options> ReadOptions(config::Workspace& workspace, config::Node& root,
                                    const OptionsRequest& request);

}  // namespace ridgeline::inference
