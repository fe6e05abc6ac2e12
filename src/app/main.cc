#include <exception>
#include <ostream>
#include <string>
#include <vector>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/version.h"
#include "base/secrets.h"
#include "config/tree/suggest.h"
#include "os/signal_watch.h"
#include "os/standard_streams.h"

namespace {

using ridgeline::app::ExitStatus;
using ridgeline::app::Streams;

struct Command {
  const char* name;
  const char* usage;
  const char* help;
  ExitStatus (*run)(std::span<const std::string> arguments, const Streams& streams);
};

constexpr Command kCommands[] = {
    {"run", "run [overrides] [-- PROGRAM...]",
     "run the profiling pipeline (default command)", ridgeline::app::RunCommand},
    {"workload", "workload [hydra flags] [overrides]",
     "run only the workload (as nsys and ncu start it)", ridgeline::app::WorkloadCommand},
    {"model", "model create|inspect DIR",
     "create a random checkpoint; inspect a checkpoint", ridgeline::app::ModelCommand},
    {"config", "config compose|parse-override ...",
     "compose a Hydra configuration; parse overrides", ridgeline::app::ConfigCommand},
    {"predict", "predict --on DEVICE [overrides]",
     "roofline prediction for another device", ridgeline::app::PredictCommand},
    {"import", "import FILE... [-o results.sqlite]",
     "summarize PyTorch, nsys and ncu profiles", ridgeline::app::ImportCommand},
    {"analyze", "analyze DIR [--output-dir DIR]",
     "classify ncu kernels: compute-, memory- or latency-bound",
     ridgeline::app::AnalyzeCommand},
    {"nvtx-list", "nvtx-list [flags] -- PROGRAM...", "list the NVTX ranges of a program",
     ridgeline::app::NvtxListCommand},
    {"top-kernels", "top-kernels FILE [-o kernels.yaml]",
     "top kernels of an nsys profile, as YAML", ridgeline::app::TopKernelsCommand},
    {"ncu-kernels", "ncu-kernels [flags] -- COMMAND...",
     "profile selected kernels with Nsight Compute", ridgeline::app::NcuKernelsCommand},
    {"sweep", "sweep ACTION DIR", "status, attach, cancel or resume a sweep (run -m)",
     ridgeline::app::SweepCommand},
    {"report", "report RUN|SWEEP|FILE...",
     "rebuild the reports of a run or sweep; report on profiles",
     ridgeline::app::ReportCommand},
    {"serve", "serve [DIR] [--host H] [--port N]", "browse and compare runs in a browser",
     ridgeline::app::ServeCommand},
    {"doctor", "doctor [overrides] [-- PROGRAM...]",
     "check this machine and list what is missing", ridgeline::app::DoctorCommand},
};

void PrintUsage(std::ostream& out) {
  out << "ridgeline " << ridgeline::Version()
      << ": a profiler for LLM inference, configured with Hydra overrides\n\n";
  for (const Command& command : kCommands) {
    std::string usage = "  ridgeline " + std::string(command.usage);
    usage.resize(std::max<size_t>(usage.size() + 2, 48), ' ');
    out << usage << command.help << '\n';
  }
  out << "\n"
         "`ridgeline run --hydra-help` lists Hydra's flags, `ridgeline run --cfg job` "
         "shows\n"
         "the configuration, eval \"$(ridgeline run -sc install=bash)\" enables "
         "completion.\n";
}

// A word that is neither a command nor an override is a typo.
bool LooksLikeRun(const std::string& word) {
  return word.starts_with('-') || word.starts_with('+') || word.starts_with('~') ||
         word.find('=') != std::string::npos;
}

ExitStatus UnknownCommand(const std::string& word, const Streams& streams) {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  const std::string nearest = ridgeline::config::Nearest(word, names);
  return ridgeline::app::Fail(
      streams, ridgeline::Error(
                   ridgeline::ErrorCode::kConfig,
                   "unknown command '" + word + "'" +
                       (nearest.empty() ? "\nhint: see ridgeline --help"
                                        : "\nhint: did you mean '" + nearest + "'?")));
}

ExitStatus RunOldCommand(const ridgeline::app::OldCommand& old, const Streams& streams) {
  if (!old.notice.empty()) streams.err << "ridgeline: note: " << old.notice << '\n';
  return old.run(old.arguments, streams);
}

ExitStatus RealMain(const std::string& program, const std::vector<std::string>& arguments,
                    const Streams& streams) {
  if (const auto old = ridgeline::app::ReadOldCommand(program, arguments)) {
    return RunOldCommand(*old, streams);
  }
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" ||
      arguments[0] == "help") {
    PrintUsage(arguments.empty() ? streams.err : streams.out);
    return arguments.empty() ? ExitStatus::kUsage : ExitStatus::kDone;
  }
  if (arguments[0] == "rank-exec") {
    return ridgeline::app::RankExecCommand(std::span(arguments).subspan(1), streams);
  }
  for (const Command& command : kCommands) {
    if (arguments[0] == command.name) {
      return command.run(std::span(arguments).subspan(1), streams);
    }
  }
  // Old names also work as commands: ridgeline ncu-profile-kernels ...
  const std::span<const std::string> rest = std::span(arguments).subspan(1);
  if (const auto old = ridgeline::app::ReadOldCommand(arguments[0], rest)) {
    return RunOldCommand(*old, streams);
  }
  if (LooksLikeRun(arguments[0])) return ridgeline::app::RunCommand(arguments, streams);
  return UnknownCommand(arguments[0], streams);
}

// A command whose output was lost has failed. Exit codes for signals and for programs
// that could not be started are kept.
ExitStatus StatusWithLostOutput(ExitStatus status) {
  return status < ExitStatus::kCannotStart ? ExitStatus::kFailed : status;
}

}  // namespace

int main(int argc, char** argv) {
  ridgeline::os::ReportFileSizeLimit();
  ridgeline::os::StandardStreams standard;
  const Streams streams = {standard.out, standard.err};
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    standard.err.Hide(ridgeline::SecretsIn(arguments));
    ExitStatus status = RealMain(argv[0], arguments, streams);
    const ridgeline::Status written = standard.Flush();
    if (!written.ok()) {
      ridgeline::app::Fail(streams, written.error());
      status = StatusWithLostOutput(status);
    }
    return static_cast<int>(status);
  } catch (const std::exception& e) {
    return static_cast<int>(ridgeline::app::Fail(streams, ridgeline::app::ErrorOf(e)));
  }
}
