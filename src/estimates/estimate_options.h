#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "hardware/roofs.h"
#include "model_io/datasets/dataset_options.h"
#include "models/deepseek_ocr/page_shapes.h"

namespace ridgeline::estimates {

// What the cost of a page depends on.
struct EstimateOptions {
  std::string model;                  // model.name
  std::filesystem::path model_path;   // Of the checkpoint, which may not be there yet.
  std::optional<std::string> preset;  // model.create.preset
  std::string dtype = "bf16";         // model.dtype
  std::string device = "cpu";         // cpu, cuda, cuda:N, auto
  hardware::RoofOverrides roofs;      // hardware.*
  models::deepseek_ocr::PreprocessOptions preprocess;
  std::string prompt;             // infer.decoder_prompt
  int64_t max_new_tokens = 8192;  // infer.max_new_tokens
  models::deepseek_ocr::ContextRule context;
  int64_t batch = 1;                 // Pages that are read together; there is no key.
  bool use_synthetic_inputs = true;  // A made-up page; false: the first sample.
  datasets::DatasetOptions dataset;
};

// From a composed configuration that has been checked. Relative paths begin at
// `working_directory`.
config::Result<EstimateOptions> ReadOptions(
    config::Workspace& workspace, config::Node& root,
    const std::filesystem::path& working_directory);

}  // namespace ridgeline::estimates
