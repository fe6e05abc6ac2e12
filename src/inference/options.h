#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "datasets/dataset_options.h"
#include "models/deepseek_ocr/preprocess.h"

namespace ridgeline::inference {

// What a run of the built-in model needs of the configuration.
struct Options {
  std::string device = "cpu";
  std::filesystem::path model_path;
  std::string dtype = "bf16";
  std::optional<std::string> create_preset;  // For a checkpoint that is not there.
  int64_t create_seed = 0;
  models::deepseek_ocr::PreprocessOptions preprocess;
  std::string prompt;
  int64_t max_new_tokens = 8192;
  int64_t no_repeat_ngram_size = 0;
  std::optional<double> temperature;  // Nothing: no sampling.
  int64_t seed = 0;
  int64_t repeats = 1;
  int64_t warmup_rounds = 0;
  datasets::DatasetOptions dataset;
};

// From a composed configuration; relative paths begin at `working_directory`.
config::Result<Options> ReadOptions(config::Workspace& workspace, config::Node& root,
                                    const std::filesystem::path& working_directory);

}  // namespace ridgeline::inference
