// What one sample, or a batch of them, costs a model, from the configuration.
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

// What the cost of a sample depends on.
struct EstimateOptions {
  std::string model;                  // model.name
  std::filesystem::path model_path;   // Of the checkpoint, which may not be there yet.
  std::optional<std::string> preset;  // model.create.preset
  hardware::DeviceRequest device;     // device, model.dtype, hardware.*
  cost::PreprocessOptions preprocess;
  std::string prompt;             // infer.decoder_prompt
  int64_t max_new_tokens = 8192;  // infer.max_new_tokens
  cost::ContextRule context;
  int64_t batch = 1;                 // Samples processed together; there is no key.
  bool use_synthetic_inputs = true;  // false: the first sample of the dataset.
  datasets::DatasetOptions dataset;
};

// From a composed configuration that has been checked. Relative paths begin at
// `working_directory`.
config::Result<EstimateOptions> ReadOptions(
    config::Workspace& workspace, config::Node& root,
    const std::filesystem::path& working_directory);

// Bytes per value, as networks keep them: on a CPU they compute in f32 and leave matrices
// in bf16 where the checkpoint has them so; on a GPU all is `dtype`.
Result<cost::ByteWidths> WidthsOf(hardware::DeviceKind kind, std::string_view dtype,
                                  bool stored_in_bf16);

// kUnsupported: the model has no ledger.
Result<std::unique_ptr<Model>> OpenModel(const EstimateOptions& options);

Result<cost::Estimate> EstimateSample(const Model& model, const EstimateOptions& options,
                                      hardware::DeviceKind kind);

// Of the options' model.
Result<cost::Estimate> EstimateSample(const EstimateOptions& options,
                                      hardware::DeviceKind kind);

}  // namespace ridgeline::models
