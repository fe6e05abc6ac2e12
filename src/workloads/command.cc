#include <algorithm>
#include <filesystem>

#include "os/env.h"
#include "os/files.h"
#include "ranks/launcher.h"
#include "workloads/make_workload.h"

namespace ridgeline::workloads {
namespace {

constexpr const char* kPythonPath = "PYTHONPATH";

// Each rank has its own request, because its files go to a separate directory: pids are
// unique on one host only.
std::string RequestFile(const pipeline::WorkloadPlace& place) {
  return place.rank ? ranks::RankFile("request.json", *place.rank) : "request.json";
}

Status WriteRequest(const PythonOptions& options, const pipeline::WorkloadPlace& place) {
  const python::Request request = RequestFor(options, place);
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(request.output));
  return os::WriteFile(place.scratch / RequestFile(place), python::ToJson(request));
}

// "/a/conf/../b.py" -> "/a/b.py", if that is the same file.
std::string Shown(const std::string& word) {
  if (!word.starts_with('/') || word.find("/../") == std::string::npos) return word;
  const std::string shorter = std::filesystem::path(word).lexically_normal().string();
  std::error_code differs;
  return std::filesystem::equivalent(word, shorter, differs) ? shorter : word;
}

}  // namespace

std::string ExternalCommand::Describe() const {
  os::Command command{.argv = options_.command, .environment = {}, .directory = {}};
  std::transform(command.argv.begin(), command.argv.end(), command.argv.begin(), Shown);
  return command.ToShellString();
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
  if (options_.agent.empty() || !place.observed) return command;
  const auto own = options_.environment.find(kPythonPath);
  const std::optional<std::string> python_path =
      own != options_.environment.end() ? own->second : os::GetEnv(kPythonPath);
  return python::WithAgent(std::move(command), options_.agent,
                           place.scratch / RequestFile(place), python_path);
}

Status ExternalCommand::Prepare(const pipeline::WorkloadPlace& place) const {
  if (options_.agent.empty() || !place.observed) return Ok();
  if (!options_.ranks) return WriteRequest(options_.python, place);
  pipeline::WorkloadPlace of_rank = place;
  for (int64_t rank = 0; rank < options_.ranks->count; ++rank) {
    if (!options_.ranks->IsProfiled(rank)) continue;
    of_rank.rank = rank;
    RIDGELINE_RETURN_IF_ERROR(WriteRequest(options_.python, of_rank));
  }
  return Ok();
}

Result<std::vector<pipeline::InputPath>> ExternalCommand::Inputs() const {
  const std::string script = python::ScriptOf(options_.command);
  if (!script.empty() && !os::Exists(options_.directory / script)) {
    return Error(ErrorCode::kNotFound,
                 "pipeline.workload.command: no such script: " +
                     (options_.directory / script).lexically_normal().string());
  }
  std::vector<pipeline::InputPath> inputs;
  const Result<std::filesystem::path> program = os::FindProgram(Program({}));
  if (program.ok()) inputs.push_back({"workload program", program.value()});
  if (!options_.input.empty()) inputs.push_back({"workload stdin", options_.input});
  for (size_t i = 1; i < options_.command.size(); ++i) {
    const std::filesystem::path path = options_.directory / options_.command[i];
    if (!options_.command[i].empty() && os::IsRegularFile(path)) {
      inputs.push_back({pipeline::kArgumentRole, path.lexically_normal()});
    }
  }
  return inputs;
}

}  // namespace ridgeline::workloads
