#include "inference/options.h"

#include "config/reader.h"
#include "config/tree/select.h"

namespace ridgeline::inference {
namespace {

namespace fs = std::filesystem;

// Reads part of a section that has been checked as a whole: what is not asked for here
// belongs to others.
config::Status ReadPart(config::Workspace& workspace, config::Node& root,
                        std::string_view section,
                        const std::function<void(config::Reader&)>& read) {
  RIDGELINE_TRY(config::Node * node, config::Select(workspace, root, section));
  if (node == nullptr) return Ok();
  config::Reader reader(workspace, *node);
  read(reader);
  return Ok();
}

config::Status ReadModel(config::Workspace& workspace, config::Node& root,
                         Options& options) {
  RIDGELINE_RETURN_IF_ERROR(ReadPart(workspace, root, "model", [&](config::Reader& r) {
    std::string path;
    r.ReadOptional("path", path);
    options.model_path = path;
    r.ReadOptional("dtype", options.dtype);
  }));
  RIDGELINE_RETURN_IF_ERROR(
      ReadPart(workspace, root, "model.create", [&](config::Reader& r) {
        r.ReadOptional("preset", options.create_preset);
        r.ReadOptional("seed", options.create_seed);
      }));
  return ReadPart(workspace, root, "model.preprocess", [&](config::Reader& r) {
    int64_t base_size = options.preprocess.base_size;
    int64_t image_size = options.preprocess.image_size;
    r.ReadOptional("base_size", base_size);
    r.ReadOptional("image_size", image_size);
    r.ReadOptional("crop_mode", options.preprocess.crop_mode);
    options.preprocess.base_size = static_cast<int>(base_size);
    options.preprocess.image_size = static_cast<int>(image_size);
  });
}

config::Status ReadInference(config::Workspace& workspace, config::Node& root,
                             Options& options) {
  bool do_sample = false;
  double temperature = 0;
  RIDGELINE_RETURN_IF_ERROR(ReadPart(workspace, root, "infer", [&](config::Reader& r) {
    r.ReadOptional("decoder_prompt", options.prompt);
    r.ReadOptional("max_new_tokens", options.max_new_tokens);
    r.ReadOptional("no_repeat_ngram_size", options.no_repeat_ngram_size);
    r.ReadOptional("do_sample", do_sample);
    r.ReadOptional("temperature", temperature);
    r.ReadOptional("seed", options.seed);
  }));
  if (do_sample) options.temperature = temperature;
  return ReadPart(workspace, root, "pipeline.torch_profiler", [&](config::Reader& r) {
    r.ReadOptional("warmup_rounds", options.warmup_rounds);
  });
}

config::Status ReadDataset(config::Workspace& workspace, config::Node& root,
                           Options& options) {
  datasets::DatasetOptions& dataset = options.dataset;
  RIDGELINE_RETURN_IF_ERROR(ReadPart(workspace, root, "dataset", [&](config::Reader& r) {
    std::string path;
    r.ReadOptional("root", path);
    dataset.root = path;
    r.ReadOptional("subset_filelist", dataset.subset_filelist);
    r.ReadOptional("fallback_patterns", dataset.fallback_patterns);
  }));
  RIDGELINE_RETURN_IF_ERROR(
      ReadPart(workspace, root, "dataset.sampling", [&](config::Reader& r) {
        std::optional<int64_t> seed;
        r.ReadOptional("num_epochs", dataset.num_epochs);
        r.ReadOptional("num_samples_per_epoch", dataset.num_samples_per_epoch);
        r.ReadOptional("randomize", dataset.randomize);
        r.ReadOptional("seed", seed);
        if (seed) dataset.seed = static_cast<uint64_t>(*seed);
      }));
  return ReadPart(workspace, root, "run", [&](config::Reader& r) {
    std::string mode = "deep";
    std::optional<std::string> list;
    r.ReadOptional("mode", mode);
    r.ReadOptional("repeats", options.repeats);
    r.ReadOptional("dataset_subset_filelist", list);
    if (list) dataset.subset_filelist = list;
    if (mode != "light") return;
    options.repeats = 1;
    dataset.num_epochs = 1;
    dataset.num_samples_per_epoch = 1;
  });
}

}  // namespace

config::Result<Options> ReadOptions(config::Workspace& workspace, config::Node& root,
                                    const fs::path& working_directory) {
  Options options;
  RIDGELINE_RETURN_IF_ERROR(ReadModel(workspace, root, options));
  RIDGELINE_RETURN_IF_ERROR(ReadInference(workspace, root, options));
  RIDGELINE_RETURN_IF_ERROR(ReadDataset(workspace, root, options));
  RIDGELINE_TRY(const config::Node* device, config::Select(workspace, root, "device"));
  if (device != nullptr && device->value.is_string()) {
    options.device = device->value.string();
  }
  options.dataset.working_directory = working_directory;
  options.dataset.root = working_directory / options.dataset.root;
  options.model_path = working_directory / options.model_path;
  return options;
}

}  // namespace ridgeline::inference
