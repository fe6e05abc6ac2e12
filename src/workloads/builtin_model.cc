#include "workloads/builtin_model.h"

#include "os/files.h"

namespace ridgeline::workloads {
namespace {

constexpr const char* kConfigFile = "config.yaml";

}  // namespace

std::string BuiltinModel::Describe() const {
  return "the built-in model " + options_.name;
}

std::string BuiltinModel::Unavailable() const {
  return "this build has no built-in model; name a program to observe: "
         "\"pipeline.workload.command=[./program,argument]\"";
}

os::Command BuiltinModel::AsCommand(const std::filesystem::path& scratch) const {
  return {.argv = {options_.program.string(), "workload", "--config-file",
                   (scratch / kConfigFile).string(), "--output-dir", scratch.string()},
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
