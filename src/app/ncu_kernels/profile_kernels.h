// Runs an application under ncu as planned, and sorts the results by kernel.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/ncu_kernels/kernel_list.h"
#include "app/ncu_kernels/options.h"
#include "app/ncu_kernels/run_plan.h"
#include "base/result.h"
#include "os/process_runner.h"

namespace ridgeline::app {

struct KernelsJob {
  std::vector<ChosenKernel> kernels;
  std::vector<std::string> sections;
  Launches launches;
  RunMode mode = RunMode::kOneRun;
  std::vector<std::string> application;
  std::filesystem::path directory;  // Exists and is empty.
};

struct ProfiledKernels {
  std::vector<bool> is_profiled;              // By kernel.
  std::vector<std::string> capture_commands;  // In shell syntax.
  std::optional<int> application_exit_code;   // From the first run in which it failed.
  std::optional<int> interrupted_by;          // Signal; no further runs were started.

  size_t Count() const;  // Number of profiled kernels.
};

// Kernels missed by a shared run are run again, together, as long as that finds any of
// them. For each profiled kernel, writes to the job's directory:
//   kernel_0001_<md5>/ncu.ncu-rep          a link if its run has profiled others, too:
//   run_1.ncu-rep                          ncu cannot split a report
//   kernel_0001_<md5>/ncu.details.csv      its page "details"
//   kernel_0001_<md5>/ncu.raw.csv          its page "raw"
//   kernel_0001_<md5>/ncu.section_X.csv    section X of "details"
// Output of the application and ncu goes to `talk`.
Result<ProfiledKernels> ProfileKernels(const KernelsJob& job,
                                       os::ProcessRunner& processes, std::ostream& talk);

// command.yaml: the request and its outcome, stored with the results. This line marks the
// directory as ours.
inline constexpr const char* kScriptLine = "script: 'ridgeline ncu-kernels'";

struct CommandFacts {
  std::string timestamp;
  std::string version;      // Of Ridgeline.
  std::string ncu_version;  // Empty: unknown.
  std::string output_dir;
};

// The keys of the earlier script, then new ones: mode, ncu_commands, kernels.
std::string CommandYaml(const CommandFacts& facts, const NcuKernelsOptions& options,
                        const KernelsJob& job, const ProfiledKernels& profiled);

}  // namespace ridgeline::app
