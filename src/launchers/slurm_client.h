// Slurm's commands. Each function calls one program once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "launchers/slurm_states.h"
#include "os/process_runner.h"

namespace ridgeline::launchers {

struct SlurmPartition {
  std::string name;
  bool is_default = false;
  std::string available;   // "up"
  std::string time_limit;  // "infinite", "1-00:00:00"
  int nodes = 0;

  bool operator==(const SlurmPartition&) const = default;
};
// Parses `sinfo --noheader --format=%P|%a|%l|%D`: "cpu*|up|infinite|2".
std::vector<SlurmPartition> ParsePartitions(std::string_view text);

// Values of `scontrol show config` that limit a sweep.
struct SlurmLimits {
  int max_array_size = 1001;
  bool has_accounting = false;
  std::string version;

  bool operator==(const SlurmLimits&) const = default;
};
SlurmLimits ParseLimits(std::string_view text);

class SlurmClient {
 public:
  explicit SlurmClient(os::ProcessRunner& processes) : processes_(processes) {}

  // kNotFound: no sbatch in PATH. kTool: the controller does not respond.
  Result<SlurmLimits> Limits();
  Result<std::vector<SlurmPartition>> Partitions();

  // Returns the id of the array. kTool: the message of sbatch, with the key it is about.
  Result<std::string> Submit(const std::string& script, const std::string& array,
                             const std::vector<std::string>& script_arguments);

  // The tasks of these arrays known to the controller. kTool: it does not respond.
  Result<std::vector<SlurmTask>> Queue(const std::vector<std::string>& array_ids);
  // All tasks of this user.
  Result<std::vector<SlurmTask>> OwnQueue();
  Result<std::vector<SlurmTask>> Accounting(const std::vector<std::string>& array_ids);

  Status Cancel(const std::vector<std::string>& ids);
  // "123_4": the id of a single task can be that of the whole array.
  Status Requeue(const std::string& task_id);

 private:
  struct Answer {
    bool ok = false;
    std::string output;
    std::string error;
  };
  Result<Answer> Ask(const std::vector<std::string>& argv);

  os::ProcessRunner& processes_;
};

}  // namespace ridgeline::launchers
