#include "app/doctor/doctor_facts.h"

#include <filesystem>
#include <sstream>
#include <vector>

#include "app/command_support.h"
#include "app/compose_here.h"
#include "app/registry.h"
#include "app/run/run_options.h"
#include "app/version.h"
#include "config/reader.h"
#include "config/tree/select.h"
#include "config/value/python_text.h"
#include "os/clock.h"
#include "os/env.h"
#include "workloads/builtin_model.h"

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;

// libtorch with CUDA is several gigabytes, possibly on a network disk.
constexpr double kLibtorchStartS = 120;

// Joins a multi-line error message into one line, without the "ridgeline: " prefix.
std::string OneLine(std::string text) {
  constexpr std::string_view kProgram = "ridgeline: ";
  if (text.starts_with(kProgram)) text.erase(0, kProgram.size());
  while (text.ends_with('\n')) text.pop_back();
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) {
    const size_t next = text.find_first_not_of(" \t\n", at);
    const bool ends = at > 0 && (text[at - 1] == ':' || text[at - 1] == '.');
    const bool is_list =
        text[next - 1] == '\t';  // "Available options in 'preset':\n\tdemo"
    text.replace(at, next - at, ends ? " " : is_list ? ", " : "; ");
  }
  return text;
}

// The text of a value with interpolations resolved; nullopt if it does not exist.
std::optional<std::string> TextOf(config::Workspace& workspace, config::Node& job,
                                  std::string_view key) {
  const config::Result<config::Node*> node = config::Select(workspace, job, key);
  if (!node.ok() || node.value() == nullptr || !node.value()->is_scalar()) {
    return std::nullopt;
  }
  return config::Str(node.value()->value);
}

bool HasItems(config::Workspace& workspace, config::Node& job, std::string_view key) {
  const config::Result<config::Node*> node = config::Select(workspace, job, key);
  return node.ok() && node.value() != nullptr && node.value()->size() > 0;
}

void SetInputsProblem(const std::string& message, DoctorFacts& facts) {
  constexpr std::string_view kHint = "\nhint: ";
  const size_t hint = std::min(message.find(kHint), message.size());
  facts.inputs_problem = OneLine(message.substr(0, hint));
  if (hint < message.size()) {
    facts.inputs_fix = OneLine(message.substr(hint + kHint.size()));
  }
}

// What a run would read: checkpoint and pages of a built-in model, or a program.
void ReadInputs(config::Workspace& workspace, config::Node& job, DoctorFacts& facts) {
  const auto workload = WorkloadMaker()(workspace, job);
  if (!workload.ok()) return SetInputsProblem(ErrorText(workload.error()), facts);
  const auto inputs = workload.value()->Inputs();
  if (!inputs.ok()) {
    return SetInputsProblem(WithoutCommandKey(inputs.error().message()), facts);
  }
  if (facts.runs_own_program) {
    const auto program = os::FindProgram(workload.value()->Program({}));
    if (!program.ok()) return SetInputsProblem(program.error().message(), facts);
  }
  facts.inputs = inputs.value().size();
}

void ReadConfiguration(const HydraOptions& options, const Streams& streams,
                       DoctorFacts& facts) {
  if (options.UsesOwnTree()) {
    const Result<std::string> own = OwnConfigDirectory();
    if (!own.ok()) {
      facts.config_problem = own.error().message();
      return;
    }
    facts.config_directory = own.value();
  } else {
    facts.config_directory = options.config_path;
  }
  std::ostringstream told;
  auto composed = ComposeFor(options, {streams.out, told});
  if (!composed.ok()) {
    facts.config_problem = OneLine(told.str());
    return;
  }
  streams.err << told.str();
  config::Workspace& workspace = composed.value()->workspace;
  config::Node& job = *composed.value()->composition.root;
  config::TakeOutHydra(workspace, job);
  const std::vector<config::Error> mistakes =
      CheckConfig(workspace, job, composed.value()->unknown_keys);
  if (!mistakes.empty()) {
    facts.config_problem = OneLine(ErrorText(config::JoinErrors(mistakes)));
    return;
  }
  facts.device = TextOf(workspace, job, "device");
  facts.runs_own_program = HasItems(workspace, job, "pipeline.workload.command");
  ReadInputs(workspace, job, facts);
  // Each run has its own directory; the check is for their parent.
  const auto run = TextOf(workspace, *workspace.hydra, "run.dir");
  const Result<fs::path> here = os::CurrentDirectory();
  if (run && here.ok()) {
    const fs::path place = (here.value() / *run).lexically_normal();
    facts.disk = hardware::LookAtDisk(place.parent_path());
  }
}

std::optional<LibtorchBuild> LookAtLibtorch(os::ProcessRunner& processes) {
  const std::optional<fs::path> program = workloads::FindModelProgram();
  if (!program) return std::nullopt;
  const Result<os::ProcessResult> run = processes.Run(
      {.argv = {program->string(), "--version"}}, {.timeout_s = kLibtorchStartS});
  if (!run.ok()) return LibtorchBuild{.problem = run.error().message()};
  if (run.value().ok()) return ParseLibtorchBuild(run.value().output);
  return LibtorchBuild{.problem =
                           Describe(run.value()) + ": " + OneLine(run.value().output)};
}

SlurmFacts LookAtSlurm(os::ProcessRunner& processes) {
  launchers::SlurmClient client(processes);
  SlurmFacts facts;
  const Result<launchers::SlurmLimits> limits = client.Limits();
  if (!limits.ok()) {
    facts.problem = limits.error().message();
    return facts;
  }
  facts.limits = limits.value();
  Result<std::vector<launchers::SlurmPartition>> partitions = client.Partitions();
  if (!partitions.ok()) {
    facts.problem = partitions.error().message();
    return facts;
  }
  facts.partitions = std::move(partitions).value();
  return facts;
}

}  // namespace

DoctorFacts GatherFacts(const HydraOptions& options, os::ProcessRunner& processes,
                        const Streams& streams) {
  DoctorFacts facts;
  ReadConfiguration(options, streams, facts);
  facts.found = artifacts::CollectProvenance(processes,
                                             {.ridgeline_version = std::string(Version()),
                                              .time = os::Timestamp(),
                                              .environment = os::Environment(),
                                              .libtorch = LibtorchVersion()});
  if (const hardware::Tool* sbatch = facts.found.tools.Find("sbatch");
      sbatch != nullptr && sbatch->works()) {
    facts.slurm = LookAtSlurm(processes);
  }
  if (facts.found.libtorch.version) facts.libtorch = LookAtLibtorch(processes);
  return facts;
}

}  // namespace ridgeline::app
