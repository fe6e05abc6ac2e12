#include <algorithm>
#include <functional>
#include <limits>

#include "config/reader.h"
#include "config/tree/select.h"
#include "model_io/datasets/read_options.h"
#include "models/estimate.h"

namespace ridgeline::models {
namespace {

using config::Reader;

// Reads part of a section that was validated as a whole; other keys are ignored.
config::Status ReadPart(config::Workspace& workspace, config::Node& root,
                        std::string_view section,
                        const std::function<void(Reader&)>& read) {
  RIDGELINE_TRY(config::Node * node, config::Select(workspace, root, section));
  if (node == nullptr || node->IsNone()) return Ok();
  Reader reader(workspace, *node);
  read(reader);
  return Ok();
}

void ReadSide(Reader& reader, std::string_view key, int& side) {
  int64_t value = side;
  reader.ReadOptional(key, value);
  // Out-of-range values are reported where sizes are checked.
  side = static_cast<int>(std::clamp<int64_t>(value, 0, std::numeric_limits<int>::max()));
}

void ReadModel(Reader& reader, EstimateOptions& options) {
  std::optional<std::string> path;
  reader.ReadOptional("name", options.model);
  reader.ReadOptional("path", path);
  reader.ReadOptional("dtype", options.device.dtype);
  options.model_path = path.value_or("");
}

void ReadPreprocess(Reader& reader, cost::PreprocessOptions& preprocess) {
  reader.ReadOptional("enable", preprocess.enable);
  reader.ReadOptional("crop_mode", preprocess.crop_mode);
  ReadSide(reader, "base_size", preprocess.base_size);
  ReadSide(reader, "image_size", preprocess.image_size);
}

void ReadInference(Reader& reader, EstimateOptions& options) {
  std::string mode = "auto";
  reader.ReadOptional("decoder_prompt", options.prompt);
  reader.ReadOptional("max_new_tokens", options.max_new_tokens);
  reader.ReadOptional("context_len_mode", mode);
  reader.ReadOptional("context_len_fixed", options.context.fixed);
  if (mode == "max") options.context.mode = cost::ContextRule::Mode::kMax;
  if (mode == "fixed") options.context.mode = cost::ContextRule::Mode::kFixed;
}

}  // namespace

config::Result<EstimateOptions> ReadOptions(
    config::Workspace& workspace, config::Node& root,
    const std::filesystem::path& working_directory) {
  EstimateOptions options;
  const auto part = [&](std::string_view section,
                        const std::function<void(Reader&)>& read) {
    return ReadPart(workspace, root, section, read);
  };
  RIDGELINE_RETURN_IF_ERROR(
      part("", [&](Reader& r) { r.ReadOptional("device", options.device.device); }));
  RIDGELINE_RETURN_IF_ERROR(part("model", [&](Reader& r) { ReadModel(r, options); }));
  RIDGELINE_RETURN_IF_ERROR(
      part("model.create", [&](Reader& r) { r.ReadOptional("preset", options.preset); }));
  RIDGELINE_RETURN_IF_ERROR(part(
      "model.preprocess", [&](Reader& r) { ReadPreprocess(r, options.preprocess); }));
  RIDGELINE_RETURN_IF_ERROR(part("infer", [&](Reader& r) { ReadInference(r, options); }));
  RIDGELINE_RETURN_IF_ERROR(part("hardware", [&](Reader& r) {
    r.ReadOptional("peak_tflops", options.device.ceilings.peak_tflops);
    r.ReadOptional("peak_gbps", options.device.ceilings.peak_gbps);
  }));
  RIDGELINE_RETURN_IF_ERROR(part("pipeline.static_analysis", [&](Reader& r) {
    r.ReadOptional("use_synthetic_inputs", options.use_synthetic_inputs);
  }));
  RIDGELINE_TRY(options.dataset,
                datasets::ReadOptions(workspace, root, working_directory));
  if (!options.model_path.empty()) {
    options.model_path = working_directory / options.model_path;
  }
  return options;
}

}  // namespace ridgeline::models
