// pipeline.workload.ranks: a workload of several processes of one program, started by a
// launcher.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::ranks {

enum class Launcher {
  kLocal,     // Started by us, on this machine.
  kTorchrun,  // python -m torch.distributed.run, on this machine.
  kSrun,      // Slurm: in the current allocation, or in a separate one.
  kMpirun,    // Open MPI or MPICH.
};

struct RankOptions {
  int64_t count = 1;
  Launcher launcher = Launcher::kLocal;
  std::vector<int64_t> profiled;   // Ranks to profile, sorted; empty: all.
  std::optional<int64_t> nodes;    // srun only.
  std::vector<std::string> args;   // Additional arguments of the launcher.
  std::string python = "python3";  // torchrun only.

  bool IsProfiled(int64_t rank) const {
    return profiled.empty() || std::binary_search(profiled.begin(), profiled.end(), rank);
  }
};

}  // namespace ridgeline::ranks
