// The commands of `ridgeline`. Each gets the arguments after its name.
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
// nullopt if the options request a run.
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

// `ridgeline import FILE...`: summarizes PyTorch, nsys and ncu profiles.
ExitStatus ImportCommand(std::span<const std::string> arguments, const Streams& streams);

// `ridgeline analyze`: classes, rooflines and tables of ncu measurements.
ExitStatus AnalyzeCommand(std::span<const std::string> arguments, const Streams& streams);

// `ridgeline nvtx-list -- CMD...`: lists the NVTX ranges opened by a program, and whether
// Nsight Systems would find the requested one.
ExitStatus NvtxListCommand(std::span<const std::string> arguments,
                           const Streams& streams);

// `ridgeline top-kernels FILE`: the kernels with the most GPU time, as a list for Nsight
// Compute.
ExitStatus TopKernelsCommand(std::span<const std::string> arguments,
                             const Streams& streams);

// ridgeline ncu-kernels (--kernel-config YAML | --kernel-regex RE) [flags] -- CMD...:
// profiles selected kernels with Nsight Compute, one directory per kernel.
ExitStatus NcuKernelsCommand(std::span<const std::string> arguments,
                             const Streams& streams);

// `ridgeline rank-exec PLAN`: one rank of a workload, started by its launcher. Internal
// to `run`, so not in the help.
ExitStatus RankExecCommand(std::span<const std::string> arguments,
                           const Streams& streams);

// `ridgeline sweep status|attach|cancel|resume DIR`: manages a sweep.
ExitStatus SweepCommand(std::span<const std::string> arguments, const Streams& streams);

// `ridgeline report RUN`: rebuilds the reports of a run from its artifacts.
ExitStatus ReportCommand(std::span<const std::string> arguments, const Streams& streams);

// ridgeline serve: executes ridgeline-serve (src/serve).
ExitStatus ServeCommand(std::span<const std::string> arguments, const Streams& streams);

// `ridgeline doctor`: lists what works on this machine, what does not, and how to fix it.
// kRefused if a check failed.
ExitStatus DoctorCommand(std::span<const std::string> arguments, const Streams& streams);

// A command of the project that this one supersedes: this program under another name,
// with or without .py or .sh.
struct OldCommand {
  std::vector<std::string> arguments;  // For `run`; the user's own come last and win.
  std::string notice;  // The equivalent command, to type instead; empty with -q.
  ExitStatus (*run)(std::span<const std::string> arguments, const Streams& streams);
};

// nullopt if `program` is not one of the old names.
std::optional<OldCommand> ReadOldCommand(std::string_view program,
                                         std::span<const std::string> arguments);

}  // namespace ridgeline::app
