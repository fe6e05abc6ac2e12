// pipeline.workload.ranks: a workload that is several processes of one program, started
// together by a launcher.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::ranks {

enum class Launcher {
  kLocal,     // Ourselves, on this machine.
  kTorchrun,  // python -m torch.distributed.run, on this machine.
  kSrun,      // Slurm: in the allocation that we run in, or in one of its own.
  kMpirun,    // Open MPI or MPICH.
};

struct RankOptions {
  int64_t count = 1;
  Launcher launcher = Launcher::kLocal;
  std::vector<int64_t> profiled;   // Ranks that are profiled, sorted; empty: all.
  std::optional<int64_t> nodes;    // Of srun.
  std::vector<std::string> args;   // More words for the launcher.
  std::string python = "python3";  // Of torchrun.

  bool IsProfiled(int64_t rank) const {
    return profiled.empty() || std::binary_search(profiled.begin(), profiled.end(), rank);
  }
};

}  // namespace ridgeline::ranks
