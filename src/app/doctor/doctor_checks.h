// Checks of `ridgeline doctor`, computed from facts. Nothing here inspects the machine.
//
// FAIL: a stage will not work, even if it is not enabled. A run skips such a stage with a
// note, but users of doctor want to know in advance. WARN: results are worse or less
// certain. SKIP: not applicable.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artifacts/provenance.h"
#include "hardware/gpu.h"
#include "hardware/machine.h"
#include "hardware/tools.h"
#include "launchers/slurm_client.h"

namespace ridgeline::app {

enum class Verdict { kOk, kWarn, kFail, kSkip };

struct Check {
  std::string subject;
  Verdict verdict = Verdict::kOk;
  std::string finding;
  std::string fix;  // For kWarn and kFail: the command or setting.

  bool operator==(const Check&) const = default;
};

// The libtorch reported by `ridgeline-model --version`.
struct LibtorchBuild {
  std::string problem;  // Empty: it starts.
  std::string cuda;     // "12.8"; empty: CPU-only build.
  // Has machine code for these ("sm_80"), and PTX for these and later ones
  // ("compute_90").
  std::vector<hardware::Capability> machine_code;
  std::vector<hardware::Capability> ptx;
  int gpus = 0;  // Visible to it.
};

// Parses that output.
LibtorchBuild ParseLibtorchBuild(std::string_view text);

// Answers of Slurm's commands, if sbatch is installed.
struct SlurmFacts {
  std::string problem;  // Error message; empty: the controller answers.
  launchers::SlurmLimits limits;
  std::vector<launchers::SlurmPartition> partitions;
};

struct DoctorFacts {
  std::string config_directory;  // Empty: not found.
  std::string config_problem;    // Empty: the configuration is valid.
  // From the configuration; nullopt if it is invalid.
  std::optional<std::string> device;  // "cuda:0"
  bool runs_own_program = false;      // The workload is a command of the user.
  std::optional<size_t> inputs;       // Files that the workload reads.
  std::string inputs_problem;         // Empty: all are there.
  std::string inputs_fix;
  // Disk of the directory that contains the runs.
  hardware::Disk disk;
  artifacts::Provenance found;
  std::optional<LibtorchBuild> libtorch;  // nullopt: not part of this build.
  std::optional<SlurmFacts> slurm;        // nullopt: no sbatch.
};

// The same subjects in the same order, always.
std::vector<Check> Diagnose(const DoctorFacts& facts);

// kFail if any, else kWarn if any, else kOk.
Verdict Worst(std::span<const Check> checks);

// nsys, its importer, ncu.
std::vector<Check> CheckProfilers(const hardware::Tools& tools);

Check CheckLibtorch(const DoctorFacts& facts);
Check CheckGit(const hardware::Tools& tools);
Check CheckSlurm(const DoctorFacts& facts);

}  // namespace ridgeline::app
