#include "os/env.h"
#include "os/files.h"
#include "workloads/make_workload.h"

namespace ridgeline::workloads {
namespace {

constexpr const char* kPythonPath = "PYTHONPATH";
constexpr const char* kRequest = "request.json";

}  // namespace

std::string ExternalCommand::Describe() const {
  return os::Command{.argv = options_.command, .environment = {}, .directory = {}}
      .ToShellString();
}

os::Command ExternalCommand::Program(const pipeline::WorkloadPlace&) const {
  return {.argv = options_.command,
          .environment = options_.environment,
          .directory = options_.directory};
}

os::Command ExternalCommand::AsCommand(const pipeline::WorkloadPlace& place) const {
  os::Command command = Program(place);
  if (!options_.input.empty()) {
    const std::vector<std::string> with_input = {
        "/bin/sh", "-c", R"(input=$1; shift; exec "$@" <"$input")", "sh",
        options_.input.string()};
    command.argv.insert(command.argv.begin(), with_input.begin(), with_input.end());
  }
  if (options_.agent.empty()) return command;
  const auto own = options_.environment.find(kPythonPath);
  const std::optional<std::string> python_path =
      own != options_.environment.end() ? own->second : os::GetEnv(kPythonPath);
  return python::WithAgent(std::move(command), options_.agent, place.scratch / kRequest,
                           python_path);
}

Status ExternalCommand::Prepare(const pipeline::WorkloadPlace& place) const {
  if (options_.agent.empty()) return Ok();
  const python::Request request = RequestFor(options_.python, place);
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(request.output));
  return os::WriteFile(place.scratch / kRequest, python::ToJson(request));
}

Result<std::vector<pipeline::InputPath>> ExternalCommand::Inputs() const {
  std::vector<pipeline::InputPath> inputs;
  const Result<std::filesystem::path> program = os::FindProgram(Program({}));
  if (program.ok()) inputs.push_back({"workload program", program.value()});
  if (!options_.input.empty()) inputs.push_back({"workload stdin", options_.input});
  for (size_t i = 1; i < options_.command.size(); ++i) {
    const std::filesystem::path path = options_.directory / options_.command[i];
    if (!options_.command[i].empty() && os::IsRegularFile(path)) {
      inputs.push_back({"workload argument", path.lexically_normal()});
    }
  }
  return inputs;
}

}  // namespace ridgeline::workloads
