// command.yaml: what was asked for and done, beside the results.
#pragma once

#include <string>

#include "app/ncu_kernels/options.h"
#include "app/ncu_kernels/profile_kernels.h"

namespace ridgeline::app {

struct CommandFacts {
  std::string timestamp;
  std::string version;      // Ours.
  std::string ncu_version;  // Empty: it did not tell.
  std::string output_dir;
};

// The keys of the earlier script, then ours: mode, ncu_commands, kernels.
std::string CommandYaml(const CommandFacts& facts, const NcuKernelsOptions& options,
                        const KernelsJob& job, const ProfiledKernels& profiled);

}  // namespace ridgeline::app
