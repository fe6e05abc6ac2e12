#include "workloads/builtin_model.h"

#include <set>

#include "model_io/checkpoints/checkpoint.h"
#include "model_io/datasets/find_samples.h"
#include "os/command.h"
#include "os/files.h"

namespace ridgeline::workloads {
namespace {

constexpr const char* kConfigFile = "config.yaml";

// The files of a checkpoint.
Result<std::vector<std::filesystem::path>> CheckpointFiles(
    const std::filesystem::path& path) {
  if (!os::IsDirectory(path)) {
    return Error(
        ErrorCode::kNotFound,
        "model.path: no such directory: " + path.string() +
            "; `ridgeline model create` writes a checkpoint with random weights");
  }
  RIDGELINE_TRY(const checkpoints::Checkpoint checkpoint,
                checkpoints::Checkpoint::Open(path));
  std::vector<std::filesystem::path> files;
  for (const checkpoints::CheckpointFile& file : checkpoint.files()) {
    files.push_back(file.path);
  }
  const std::filesystem::path tokenizer = checkpoint.directory() / "tokenizer.json";
  if (os::IsRegularFile(tokenizer)) files.push_back(tokenizer);
  return files;
}

}  // namespace

std::string BuiltinModel::Describe() const { return "built-in model " + options_.name; }

std::optional<std::filesystem::path> FindModelProgram() {
  return os::FindOwnProgram("ridgeline-model");
}

std::string BuiltinModel::Unavailable() const {
  if (FindModelProgram()) return "";
  return "no built-in model: this build has no libtorch; set a program to profile: "
         "\"pipeline.workload.command=[./program,argument]\"";
}

os::Command BuiltinModel::AsCommand(const pipeline::WorkloadPlace& place) const {
  return {.argv = {options_.program.string(), "workload", "--config-file",
                   (place.scratch / kConfigFile).string(), "--output-dir",
                   place.output.string(), "--stage", place.stage},
          .environment = options_.environment,
          .directory = options_.directory};
}

Status BuiltinModel::Prepare(const std::filesystem::path& scratch) const {
  return os::WriteFileAtomically(scratch / kConfigFile, options_.config_yaml);
}

std::vector<std::string> BuiltinModel::Changes() const {
  return {
      "runs with pipeline.torch_profiler.enable=false, "
      "pipeline.static_analysis.enable=false and a separate output directory"};
}

Result<std::vector<pipeline::InputPath>> BuiltinModel::Inputs() const {
  std::vector<pipeline::InputPath> inputs = {{"workload program", options_.program}};
  if (const auto program = FindModelProgram()) {
    inputs.push_back({"model program", *program});
  }
  if (!options_.checkpoint.empty()) {
    RIDGELINE_TRY(const std::vector<std::filesystem::path> files,
                  CheckpointFiles(options_.checkpoint));
    for (const auto& file : files) inputs.push_back({"checkpoint", file});
  }
  RIDGELINE_TRY(const std::vector<std::filesystem::path> pages,
                datasets::FindPages(options_.dataset));
  const std::set<std::filesystem::path> once(pages.begin(), pages.end());
  for (const auto& page : once) inputs.push_back({"page", page});
  if (options_.parity_reference) {
    inputs.push_back({"parity reference", *options_.parity_reference});
  }
  return inputs;
}

}  // namespace ridgeline::workloads
