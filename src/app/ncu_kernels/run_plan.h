// Plans which kernels are profiled in which run of the application, and the commands.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/ncu_kernels/kernel_list.h"
#include "os/command.h"
#include "stages/ncu/capabilities.h"

namespace ridgeline::app {

// Per kernel: how many launches to skip, and how many to profile then.
struct Launches {
  int64_t skip = 0;
  int64_t count = 1;
};

enum class RunMode { kOneRun, kRunPerKernel };

struct PlannedRun {
  std::vector<size_t> kernels;      // Indexes in the list of all kernels.
  std::vector<std::string> filter;  // ncu flags that select these launches.
};

// ncu counts all matching launches together unless it can count per launch configuration
// (not yet in 2022.3). Only then can kernels share a run.
bool CanShareRuns(const stages::NcuFacts& facts);

// 0, 1, 2, ...: the indexes of all kernels.
std::vector<size_t> EveryKernel(const std::vector<ChosenKernel>& kernels);

// Runs for the kernels with the indexes `wanted`. With kOneRun as few as the length of a
// command line allows; kernels that share launch configurations (grid, block, shared
// memory) with others may then be missed and need a further run.
std::vector<PlannedRun> PlanRuns(const std::vector<ChosenKernel>& kernels,
                                 std::span<const size_t> wanted, const Launches& launches,
                                 RunMode mode);

// Sections supported by this ncu; the others go to `missing`.
std::vector<std::string> KnownSections(const std::vector<std::string>& sections,
                                       const stages::NcuFacts& facts,
                                       std::vector<std::string>& missing);

// `report`: without ".ncu-rep", which ncu adds.
os::Command CaptureCommand(const PlannedRun& run,
                           const std::vector<std::string>& sections,
                           const std::filesystem::path& report,
                           const std::vector<std::string>& application);

// Prints the rows of one kernel of a report as CSV; `page`: additional flags.
os::Command ImportCommand(const std::filesystem::path& report, const ChosenKernel& kernel,
                          const std::vector<std::string>& page);

}  // namespace ridgeline::app
