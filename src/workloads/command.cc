#include "os/files.h"
#include "workloads/make_workload.h"

namespace ridgeline::workloads {

std::string ExternalCommand::Describe() const {
  return os::Command{.argv = options_.command, .environment = {}, .directory = {}}
      .ToShellString();
}

os::Command ExternalCommand::AsCommand(const pipeline::WorkloadPlace&) const {
  return {.argv = options_.command,
          .environment = options_.environment,
          .directory = options_.directory};
}

Status ExternalCommand::Prepare(const pipeline::WorkloadPlace&) const { return Ok(); }

Result<std::vector<pipeline::InputPath>> ExternalCommand::Inputs() const {
  std::vector<pipeline::InputPath> inputs;
  const Result<std::filesystem::path> program = os::FindProgram(AsCommand({}));
  if (program.ok()) inputs.push_back({"workload program", program.value()});
  for (size_t i = 1; i < options_.command.size(); ++i) {
    const std::filesystem::path path = options_.directory / options_.command[i];
    if (!options_.command[i].empty() && os::IsRegularFile(path)) {
      inputs.push_back({"workload argument", path.lexically_normal()});
    }
  }
  return inputs;
}

}  // namespace ridgeline::workloads
