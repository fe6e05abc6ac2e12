#include "workloads/builtin_model.h"

#include "os/env.h"
#include "os/files.h"

namespace ridgeline::workloads {
namespace {

constexpr const char* kConfigFile = "config.yaml";

}  // namespace

std::string BuiltinModel::Describe() const {
  return "the built-in model " + options_.name;
}

std::optional<std::filesystem::path> FindModelProgram() {
  const Result<std::filesystem::path> us = os::ExecutablePath();
  if (!us.ok()) return std::nullopt;
  const std::filesystem::path bin = us.value().parent_path();
  for (const std::filesystem::path& place :
       {bin / "ridgeline-model",
        bin.parent_path() / "libexec/ridgeline/ridgeline-model"}) {
    if (os::IsRegularFile(place)) return place;
  }
  return std::nullopt;
}

std::string BuiltinModel::Unavailable() const {
  if (FindModelProgram()) return "";
  return "this build has no built-in model, because libtorch was not there; name a "
         "program to observe: \"pipeline.workload.command=[./program,argument]\"";
}

os::Command BuiltinModel::AsCommand(const pipeline::WorkloadPlace& place) const {
  return {.argv = {options_.program.string(), "workload", "--config-file",
                   (place.scratch / kConfigFile).string(), "--output-dir",
                   place.output.string()},
          .environment = options_.environment,
          .directory = options_.directory};
}

Status BuiltinModel::Prepare(const std::filesystem::path& scratch) const {
  return os::WriteFileAtomically(scratch / kConfigFile, options_.config_yaml);
}

std::vector<std::string> BuiltinModel::Changes() const {
  return {
      "runs with pipeline.torch_profiler.enable=false, "
      "pipeline.static_analysis.enable=false and an output directory of its own"};
}

// The model's and the dataset's files are named by those who read them.
std::vector<pipeline::InputPath> BuiltinModel::Inputs() const {
  return {{"workload program", options_.program}};
}

}  // namespace ridgeline::workloads
