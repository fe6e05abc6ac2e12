// Estimates the cost of one sample, or a batch of them, from the configuration.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "cost/ledger.h"
#include "hardware/ceilings.h"
#include "model_io/datasets/dataset_options.h"
#include "models/model.h"

namespace ridgeline::models {

// Inputs that determine the cost of a sample.
struct EstimateOptions {
  std::string model;                  // model.name
  std::filesystem::path model_path;   // Checkpoint, which may not exist yet.
  std::optional<std::string> preset;  // model.create.preset
  hardware::DeviceRequest device;     // device, model.dtype, hardware.*
  cost::PreprocessOptions preprocess;
  std::string prompt;             // infer.decoder_prompt
  int64_t max_new_tokens = 8192;  // infer.max_new_tokens
  cost::ContextRule context;
  int64_t batch = 1;                 // Samples processed together; no configuration key.
  bool use_synthetic_inputs = true;  // False: the first sample of the dataset.
  datasets::DatasetOptions dataset;
};

// From a composed and validated configuration. Relative paths begin at
// `working_directory`.
config::Result<EstimateOptions> ReadOptions(
    config::Workspace& workspace, config::Node& root,
    const std::filesystem::path& working_directory);

// Bytes per value as stored by networks: on a CPU they compute in f32 and keep matrices
// in bf16 if the checkpoint has them so; on a GPU everything is `dtype`.
Result<cost::ByteWidths> WidthsOf(hardware::DeviceKind kind, std::string_view dtype,
                                  bool stored_in_bf16);

// kUnsupported: the model has no ledger.
Result<std::unique_ptr<Model>> OpenModel(const EstimateOptions& options);

Result<cost::Estimate> EstimateSample(const Model& model, const EstimateOptions& options,
                                      hardware::DeviceKind kind);

// For the model of the options.
Result<cost::Estimate> EstimateSample(const EstimateOptions& options,
                                      hardware::DeviceKind kind);

}  // namespace ridgeline::models
