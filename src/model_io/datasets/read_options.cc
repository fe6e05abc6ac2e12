#include "model_io/datasets/read_options.h"

#include "config/reader.h"
#include "config/tree/select.h"

namespace ridgeline::datasets {
namespace {

using config::Node;
using config::Reader;
using config::Workspace;

config::Status ReadDataset(Workspace& workspace, Node& root, DatasetOptions& options) {
  RIDGELINE_TRY(Node * node, config::Select(workspace, root, "dataset"));
  if (node == nullptr) return Ok();
  Reader reader(workspace, *node);
  std::string path;
  reader.ReadOptional("root", path);
  options.root = path;
  reader.ReadOptional("subset_filelist", options.subset_filelist);
  reader.ReadOptional("fallback_patterns", options.fallback_patterns);
  std::string on_error = "skip";
  reader.ReadOptional("on_error", on_error);
  options.on_error = on_error == "fail" ? OnError::kFail : OnError::kSkip;
  return Ok();
}

config::Status ReadSampling(Workspace& workspace, Node& root, DatasetOptions& options) {
  RIDGELINE_TRY(Node * node, config::Select(workspace, root, "dataset.sampling"));
  if (node == nullptr) return Ok();
  Reader reader(workspace, *node);
  std::optional<int64_t> seed;
  reader.ReadOptional("num_epochs", options.num_epochs);
  reader.ReadOptional("num_samples_per_epoch", options.num_samples_per_epoch);
  reader.ReadOptional("randomize", options.randomize);
  reader.ReadOptional("seed", seed);
  if (seed) options.seed = static_cast<uint64_t>(*seed);
  return Ok();
}

config::Status ReadRun(Workspace& workspace, Node& root, DatasetOptions& options) {
  RIDGELINE_TRY(Node * node, config::Select(workspace, root, "run"));
  if (node == nullptr) return Ok();
  Reader reader(workspace, *node);
  std::string mode = "deep";
  std::optional<std::string> list;
  reader.ReadOptional("mode", mode);
  reader.ReadOptional("dataset_subset_filelist", list);
  if (list) options.subset_filelist = list;
  if (mode == "light") {
    options.num_epochs = 1;
    options.num_samples_per_epoch = 1;
  }
  return Ok();
}

}  // namespace

config::Result<DatasetOptions> ReadOptions(
    Workspace& workspace, Node& root, const std::filesystem::path& working_directory) {
  DatasetOptions options;
  RIDGELINE_RETURN_IF_ERROR(ReadDataset(workspace, root, options));
  RIDGELINE_RETURN_IF_ERROR(ReadSampling(workspace, root, options));
  RIDGELINE_RETURN_IF_ERROR(ReadRun(workspace, root, options));
  options.working_directory = working_directory;
  options.root = working_directory / options.root;
  return options;
}

}  // namespace ridgeline::datasets
