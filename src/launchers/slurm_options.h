// The keys of hydra/launcher=slurm: those of Hydra's submitit launcher.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::launchers {

struct SlurmOptions {
  std::string submitit_folder;  // Up to the first component with '%': job script and
                                // Slurm's logs.
  int64_t timeout_min = 60;
  std::optional<int64_t> cpus_per_task;
  std::optional<int64_t> gpus_per_node;
  int64_t tasks_per_node = 1;
  std::optional<double> mem_gb;
  int64_t nodes = 1;
  std::string name;
  bool stderr_to_stdout = false;

  // Slurm only.
  std::optional<std::string> partition;
  std::optional<std::string> qos;
  std::optional<std::string> comment;
  std::optional<std::string> constraint;
  std::optional<std::string> exclude;
  std::optional<std::string> gres;
  std::optional<int64_t> cpus_per_gpu;
  std::optional<int64_t> gpus_per_task;
  std::optional<std::string> mem_per_gpu;
  std::optional<std::string> mem_per_cpu;
  std::optional<std::string> account;
  int64_t signal_delay_s = 120;
  int64_t max_num_timeout = 0;
  // Further options of sbatch, without dashes; an empty value means a flag.
  std::vector<std::pair<std::string, std::optional<std::string>>> additional_parameters;
  int64_t array_parallelism = 256;
  std::vector<std::string> setup;      // Lines of the job script before the job.
  std::vector<std::string> srun_args;  // Not empty: the job is started with srun.
  bool has_python = false;             // The key is accepted and ignored.
};

enum class SubmititKind { kSlurm, kLocal };

// Reads hydra.launcher. Reports every error; unknown keys with the closest match.
config::Result<SlurmOptions> ReadSlurmOptions(config::Workspace& workspace,
                                              config::Node& launcher, SubmititKind kind);

}  // namespace ridgeline::launchers
