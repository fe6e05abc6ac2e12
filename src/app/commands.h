// The commands of `ridgeline`: each gets the arguments behind its name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_support.h"
#include "app/exit_status.h"
#include "app/hydra/hydra_flags.h"

namespace ridgeline::app {

// For Hydra's flags that print something instead of running (--help, --cfg, --info, ...);
// nothing: the options ask for a run.
std::optional<ExitStatus> ShowInsteadOfRunning(const HydraOptions& options,
                                               const Streams& streams);

// ridgeline run [hydra flags] [overrides] [-- PROGRAM ARGUMENTS...]
ExitStatus RunCommand(std::span<const std::string> arguments, const Streams& streams);

// `ridgeline workload`: runs the built-in model alone, as the nsys and ncu stages
// start it.
ExitStatus WorkloadCommand(std::span<const std::string> arguments,
                           const Streams& streams);

// `ridgeline model create|inspect`: checkpoints, without running them.
ExitStatus ModelCommand(std::span<const std::string> arguments, const Streams& streams);

// ridgeline config compose|parse-override ...: the configuration library as a tool.
ExitStatus ConfigCommand(std::span<const std::string> arguments, const Streams& streams);

// `ridgeline predict --on DEVICE`: the roofline time of a page on that device.
ExitStatus PredictCommand(std::span<const std::string> arguments, const Streams& streams);

// `ridgeline import FILE...`: what profiles that others made hold.
ExitStatus ImportCommand(std::span<const std::string> arguments, const Streams& streams);

// `ridgeline analyze`: classes, rooflines and tables of what ncu measured.
ExitStatus AnalyzeCommand(std::span<const std::string> arguments, const Streams& streams);

// `ridgeline nvtx-list -- CMD...`: the NVTX ranges that a program opens, and whether
// Nsight Systems would find the one that is asked for.
ExitStatus NvtxListCommand(std::span<const std::string> arguments,
                           const Streams& streams);

// `ridgeline top-kernels FILE`: the kernels that took most of the time, as a list for
// Nsight Compute.
ExitStatus TopKernelsCommand(std::span<const std::string> arguments,
                             const Streams& streams);

// ridgeline ncu-kernels (--kernel-config YAML | --kernel-regex RE) [flags] -- CMD...:
// profiles selected kernels with Nsight Compute, one directory per kernel.
ExitStatus NcuKernelsCommand(std::span<const std::string> arguments,
                             const Streams& streams);

// `ridgeline rank-exec PLAN`: one rank of a workload, as its launcher starts it. Not in
// the help: `run` starts it.
ExitStatus RankExecCommand(std::span<const std::string> arguments,
                           const Streams& streams);

// `ridgeline sweep status|attach|cancel|resume DIR`: looks after a sweep.
ExitStatus SweepCommand(std::span<const std::string> arguments, const Streams& streams);

// `ridgeline report RUN`: rebuilds the reports of a run from its artifacts.
ExitStatus ReportCommand(std::span<const std::string> arguments, const Streams& streams);

// ridgeline serve: becomes ridgeline-serve (src/serve).
ExitStatus ServeCommand(std::span<const std::string> arguments, const Streams& streams);

// `ridgeline doctor`: what works here, what does not, and what to do about it.
// kRefused if a check failed.
ExitStatus DoctorCommand(std::span<const std::string> arguments, const Streams& streams);

// A command of the project that this one supersedes. Each is this program under another
// name, with or without .py or .sh.
struct OldCommand {
  std::vector<std::string> arguments;  // Of `run`; the user's own come last and win.
  std::string notice;                  // What it runs, and what to type instead.
  ExitStatus (*run)(std::span<const std::string> arguments, const Streams& streams);
};

// Nothing if `program` is not one of the old names.
std::optional<OldCommand> ReadOldCommand(std::string_view program,
                                         std::span<const std::string> arguments);

}  // namespace ridgeline::app
