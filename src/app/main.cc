#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/version.h"
#include "config/tree/suggest.h"
#include "os/standard_output.h"

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
    {"run", "run [hydra flags] [overrides]", "the pipeline; the default command",
     ridgeline::app::RunCommand},
    {"workload", "workload [hydra flags] [overrides]",
     "only the workload (what nsys and ncu start)", ridgeline::app::WorkloadCommand},
    {"model", "model create|inspect DIR", "random checkpoints; what is in a checkpoint",
     ridgeline::app::ModelCommand},
    {"config", "config compose|parse-override ...",
     "compose any Hydra tree; explain overrides", ridgeline::app::ConfigCommand},
    {"predict", "predict --on DEVICE [overrides]",
     "how long a page takes on a device, at least", ridgeline::app::PredictCommand},
    {"import", "import FILE... [-o results.sqlite]",
     "what profiles of PyTorch, nsys and ncu hold", ridgeline::app::ImportCommand},
    {"analyze", "analyze DIR [--output-dir DIR]",
     "what limits the kernels that ncu measured", ridgeline::app::AnalyzeCommand},
    {"nvtx-list", "nvtx-list [flags] -- PROGRAM...",
     "the NVTX ranges that a program opens", ridgeline::app::NvtxListCommand},
    {"top-kernels", "top-kernels FILE [-o kernels.yaml]",
     "the longest kernels of an nsys profile, as YAML",
     ridgeline::app::TopKernelsCommand},
    {"ncu-kernels", "ncu-kernels [flags] -- COMMAND...",
     "kernels of a command under Nsight Compute", ridgeline::app::NcuKernelsCommand},
    {"report", "report RUN", "the reports of a run, made again from what it left",
     ridgeline::app::ReportCommand},
    {"serve", "serve [DIR] [--host H] [--port N]",
     "the runs of a directory in a browser; several side by side",
     ridgeline::app::ServeCommand},
    {"doctor", "doctor [flags] [overrides]", "what works here, and how to get the rest",
     ridgeline::app::DoctorCommand},
};

void PrintUsage(std::ostream& out) {
  out << "ridgeline " << ridgeline::app::Version()
      << ": a profiler for LLM inference, configured as a Hydra application\n\n";
  for (const Command& command : kCommands) {
    std::string usage = "  ridgeline " + std::string(command.usage);
    usage.resize(std::max<size_t>(usage.size() + 2, 48), ' ');
    out << usage << command.help << '\n';
  }
  out << "\nridgeline run --hydra-help lists the flags, ridgeline run --cfg job shows "
         "the\n"
         "configuration, eval \"$(ridgeline run -sc install=bash)\" turns on "
         "completion.\n";
}

// A word that is neither a command nor an override is a slip of the keyboard.
bool LooksLikeRun(const std::string& word) {
  return word.starts_with('-') || word.starts_with('+') || word.starts_with('~') ||
         word.find('=') != std::string::npos;
}

ExitStatus UnknownCommand(const std::string& word, const Streams& streams) {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  const std::string nearest = ridgeline::config::Nearest(word, names);
  return ridgeline::app::Fail(
      streams,
      ridgeline::Error(ridgeline::ErrorCode::kConfig,
                       "unknown command '" + word + "'" +
                           (nearest.empty() ? "; see ridgeline --help"
                                            : "; did you mean '" + nearest + "'?")));
}

ExitStatus RealMain(const std::string& program,
                    const std::vector<std::string>& arguments) {
  const Streams streams = {std::cout, std::cerr};
  if (const auto run = ridgeline::app::ArgumentsOfOldRunner(program, arguments)) {
    streams.err << "ridgeline: note: " << program.substr(program.find_last_of('/') + 1)
                << " is the older name of `ridgeline run` with some stages on and others "
                   "off\n";
    return ridgeline::app::RunCommand(*run, streams);
  }
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
    PrintUsage(arguments.empty() ? std::cerr : std::cout);
    return arguments.empty() ? ExitStatus::kUsage : ExitStatus::kDone;
  }
  for (const Command& command : kCommands) {
    if (arguments[0] == command.name) {
      return command.run(std::span(arguments).subspan(1), streams);
    }
  }
  if (LooksLikeRun(arguments[0])) return ridgeline::app::RunCommand(arguments, streams);
  return UnknownCommand(arguments[0], streams);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const ExitStatus status = RealMain(argv[0], {argv + 1, argv + argc});
    const ridgeline::Status written = ridgeline::os::FlushStandardOutput();
    if (written.ok()) return static_cast<int>(status);
    const ExitStatus lost = ridgeline::app::Fail({std::cout, std::cerr}, written.error());
    return static_cast<int>(status == ExitStatus::kDone ? lost : status);
  } catch (const std::exception& e) {
    std::cerr << "ridgeline: internal error: " << e.what() << '\n';
    return static_cast<int>(ExitStatus::kFailed);
  }
}
