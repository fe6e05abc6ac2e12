// Checks of `ridgeline doctor`, computed from facts. Nothing here reads the machine.
//
// FAIL: a stage will not work, even if it is not enabled. A run skips such a stage with a
// note, but users of doctor want to know before. WARN: results are worse or less certain.
// SKIP: not applicable.
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
  std::string fix;  // Of kWarn and kFail: the command or setting.

  bool operator==(const Check&) const = default;
};

// The libtorch reported by `ridgeline-model --version`.
struct LibtorchBuild {
  std::string problem;  // Empty: it started.
  std::string cuda;     // "12.8"; empty: a build for CPUs.
  // Compiled for these ("sm_80"), and portable to GPUs from these on ("compute_90").
  std::vector<hardware::Capability> machine_code;
  std::vector<hardware::Capability> ptx;
  int gpus = 0;  // That it sees.
};

// From that text.
LibtorchBuild ParseLibtorchBuild(std::string_view text);

// What Slurm's commands say, where sbatch is installed.
struct SlurmFacts {
  std::string problem;  // Instead of an answer; empty: the controller answers.
  launchers::SlurmLimits limits;
  std::vector<launchers::SlurmPartition> partitions;
};

struct DoctorFacts {
  std::string config_directory;  // Empty: none was found.
  std::string config_problem;    // Empty: the configuration is right.
  // From the configuration; empty if it is not right.
  std::optional<std::string> device;  // "cuda:0"
  bool runs_own_program = false;      // The workload is a command of the user's.
  // Where the directories of runs go.
  hardware::Disk disk;
  artifacts::Provenance found;
  std::optional<LibtorchBuild> libtorch;  // Nothing: not part of this build.
  std::optional<SlurmFacts> slurm;        // Nothing: no sbatch.
};

// Always the same subjects, in the same order.
std::vector<Check> Diagnose(const DoctorFacts& facts);

// The worst of all: kFail, then kWarn, else kOk.
Verdict Worst(std::span<const Check> checks);

// nsys, its importer, ncu.
std::vector<Check> CheckProfilers(const hardware::Tools& tools);

Check CheckLibtorch(const DoctorFacts& facts);
Check CheckGit(const hardware::Tools& tools);
Check CheckSlurm(const DoctorFacts& facts);

}  // namespace ridgeline::app
