#include "workloads/builtin_model.h"

#include <set>

#include "config/value/yaml_dump.h"
#include "model_io/checkpoints/checkpoint.h"
#include "model_io/datasets/find_samples.h"
#include "os/command.h"
#include "os/files.h"
#include "workloads/placed_config.h"

namespace ridgeline::workloads {
namespace {

constexpr const char* kProgram = "ridgeline-model";
constexpr const char* kConfigFile = "config.yaml";

// First arguments of its command line, parsed by src/inference/arguments.h.
std::vector<std::string> WordsOf(pipeline::WorkloadTask task) {
  switch (task) {
    case pipeline::WorkloadTask::kRun:
      return {"run"};
    case pipeline::WorkloadTask::kCapture:
      return {"run", "--representative"};
    case pipeline::WorkloadTask::kProfile:
      return {"profile"};
    case pipeline::WorkloadTask::kCount:
      return {"count"};
  }
  return {};
}

// Files of a checkpoint.
Result<std::vector<std::filesystem::path>> CheckpointFiles(
    const std::filesystem::path& path) {
  if (!os::IsDirectory(path)) {
    return Error(
        ErrorCode::kNotFound,
        "model.path: no such directory: " + path.string() +
            "\nhint: set model.path to a checkpoint; `ridgeline model create DIR` writes "
            "one with random weights; `ridgeline run +preset=demo` needs no checkpoint");
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
  return os::FindOwnProgram(kProgram);
}

std::string BuiltinModel::Unavailable() const {
  if (FindModelProgram()) return "";
  return "no built-in model: this build has no libtorch; set a program to profile: "
         "\"pipeline.workload.command=[./program,argument]\"";
}

os::Command BuiltinModel::AsCommand(const pipeline::WorkloadPlace& place) const {
  std::vector<std::string> argv = {FindModelProgram().value_or(kProgram).string()};
  for (std::string& word : WordsOf(place.task)) argv.push_back(std::move(word));
  argv.insert(argv.end(), {"--config", (place.scratch / kConfigFile).string(), "--output",
                           place.output.string()});
  if (place.resume) argv.emplace_back("--resume");
  return {.argv = std::move(argv),
          .environment = options_.environment,
          .directory = options_.directory};
}

Status BuiltinModel::Prepare(const pipeline::WorkloadPlace& place) const {
  return os::WritePrivateFile(place.scratch / kConfigFile,
                              config::DumpYaml(PlacedConfig(options_.config, place)));
}

std::vector<std::string> BuiltinModel::NamesInRunDir() const {
  return OutputNamesInRun(options_.config);
}

std::vector<std::string> BuiltinModel::Changes() const {
  return {
      "runs with pipeline.torch_profiler.enable=false, "
      "pipeline.static_analysis.enable=false and a separate output directory; pages are "
      "not drawn"};
}

Result<std::vector<pipeline::InputPath>> BuiltinModel::Inputs() const {
  std::vector<pipeline::InputPath> inputs;
  if (const auto program = FindModelProgram()) {
    inputs.push_back({"workload program", *program});
  }
  if (!options_.checkpoint.empty()) {
    RIDGELINE_TRY(const std::vector<std::filesystem::path> files,
                  CheckpointFiles(options_.checkpoint));
    for (const auto& file : files) inputs.push_back({"checkpoint", file});
  }
  RIDGELINE_TRY(const std::vector<std::filesystem::path> pages,
                datasets::FindPages(options_.dataset));
  const std::set<std::filesystem::path> once(pages.begin(), pages.end());
  for (const auto& page : once) {
    // Broken links are pages that fail.
    if (os::IsRegularFile(page)) inputs.push_back({"page", page});
  }
  if (options_.parity_reference) {
    if (!os::IsRegularFile(*options_.parity_reference)) {
      return Error(ErrorCode::kNotFound, "parity.reference: no such file: " +
                                             options_.parity_reference->string());
    }
    inputs.push_back({"parity reference", *options_.parity_reference});
  }
  return inputs;
}

}  // namespace ridgeline::workloads
