// What tests of workloads with ranks share.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "run/playground.h"

namespace ridgeline::run {

using artifacts::RankRecord;
using artifacts::RankState;
using artifacts::StageRecord;

constexpr const char* kSystemPython = "/usr/bin/python3";

// A model whose output is reduced over the ranks by gloo. The rank that is its argument
// fails after the last step.
constexpr const char* kReduceProgram = R"(
import sys, torch, torch.distributed as dist
dist.init_process_group("gloo")
rank = dist.get_rank()
model = torch.nn.Linear(8, 8)
for step in range(4):
    out = model(torch.ones(2, 8)).sum() * 0 + rank
    dist.all_reduce(out)
if len(sys.argv) > 1 and rank == int(sys.argv[1]):
    raise SystemExit("rank gives up")
dist.barrier()
print("sum", int(out))
)";

// The same sum by Open MPI, called without its headers. The rank that is its argument is
// killed before it.
constexpr const char* kMpiProgram = R"(
import ctypes, os, sys
mpi = ctypes.CDLL("libmpi.so.40", mode=ctypes.RTLD_GLOBAL)
def handle(name):
    return ctypes.byref(ctypes.c_char.in_dll(mpi, name))
world = handle("ompi_mpi_comm_world")
mpi.MPI_Init(None, None)
rank, total = ctypes.c_int(), ctypes.c_int()
mpi.MPI_Comm_rank(world, ctypes.byref(rank))
if len(sys.argv) > 1 and rank.value == int(sys.argv[1]):
    os.kill(os.getpid(), 9)
mpi.MPI_Allreduce(ctypes.byref(rank), ctypes.byref(total), 1, handle("ompi_mpi_int"),
                  handle("ompi_mpi_op_sum"), world)
print("sum", total.value)
mpi.MPI_Finalize()
)";

constexpr const char* kNsysBroke = "nsys broke in every attempt (Agent launcher failed)";
constexpr const char* kNoTorchDistributed = "no python3-torch with torch.distributed";

inline bool HasTorchDistributed() {
  return std::system(
             "/usr/bin/python3 -c 'import torch.distributed as d; assert "
             "d.is_available()' >/dev/null 2>&1") == 0;
}

inline std::vector<RankState> StatesOf(const StageRecord& stage) {
  std::vector<RankState> states;
  for (const RankRecord& rank : stage.ranks) states.push_back(rank.state);
  return states;
}

class Ranks : public Playground {
 protected:
  // Only direct_inference is on, once, with four ranks.
  ProgramEnd Run(const std::vector<std::string>& overrides,
                 const std::vector<std::string>& command) {
    std::vector<std::string> arguments = {"run",
                                          "device=cpu",
                                          "hydra.run.dir=run",
                                          "run.repeats=1",
                                          "run.grace_s=4",
                                          "pipeline.static_analysis.enable=false",
                                          "pipeline.torch_profiler.enable=false",
                                          "pipeline.direct_inference.enable=true",
                                          "pipeline.workload.ranks.count=4"};
    arguments.insert(arguments.end(), overrides.begin(), overrides.end());
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), command.begin(), command.end());
    return Ridgeline(arguments);
  }
  ProgramEnd RunScript(const std::string& lines,
                       const std::vector<std::string>& overrides = {}) {
    MakeScript("rank.sh", lines);
    return Run(overrides, {"./rank.sh"});
  }
  StageRecord Stage(const std::string& name = "direct_inference") {
    return *ManifestOf(directory() / "run").Find(name);
  }
  std::string Log(int rank) {
    return ReadFile(directory() / "run/direct_inference" /
                    ("workload.rank" + std::to_string(rank) + ".log"));
  }
};

}  // namespace ridgeline::run
