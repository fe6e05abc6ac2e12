// What one page, or a batch of them, costs a model, from the configuration.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "hardware/ceilings.h"
#include "model_io/datasets/dataset_options.h"
#include "models/deepseek_ocr/ledger.h"
#include "models/deepseek_ocr/page_shapes.h"

namespace ridgeline::estimates {

// What the cost of a page depends on.
struct EstimateOptions {
  std::string model;                  // model.name
  std::filesystem::path model_path;   // Of the checkpoint, which may not be there yet.
  std::optional<std::string> preset;  // model.create.preset
  hardware::DeviceRequest device;     // device, model.dtype, hardware.*
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

// Why there is no estimate for a model of this name; empty: there is one.
std::string WhyNotEstimated(std::string_view model);

struct PageEstimate {
  std::string model;
  std::string model_origin;  // "models/x/config.json", "preset tiny".
  models::deepseek_ocr::Dimensions dimensions;
  models::deepseek_ocr::PreprocessOptions preprocess;
  models::deepseek_ocr::PageSize page;
  std::string page_origin;  // "synthetic", or the file of the page.
  models::deepseek_ocr::PageShapes shapes;
  models::deepseek_ocr::ContextRule context;
  models::deepseek_ocr::StepContexts contexts;
  models::deepseek_ocr::Ledger ledger;  // Decode steps with the fewest experts.
  // What decode costs if experts are chosen otherwise. Of one page all are the same.
  cost::Cost decode_uniform;
  cost::Cost decode_most;
};

// Bytes per value, as the network keeps them: on a CPU it computes in f32 and leaves
// matrices in bf16 where the checkpoint has them so; on a GPU all is `dtype`.
Result<models::deepseek_ocr::ByteWidths> WidthsOf(hardware::DeviceKind kind,
                                                  std::string_view dtype,
                                                  bool stored_in_bf16);

// Reads config.json and tokenizer.json of the checkpoint, and headers of its weights; of
// a preset whose checkpoint is not there yet, nothing. Weights are never read.
Result<PageEstimate> EstimatePage(const EstimateOptions& options,
                                  hardware::DeviceKind kind);

}  // namespace ridgeline::estimates
