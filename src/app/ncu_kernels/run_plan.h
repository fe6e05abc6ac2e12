// Which kernels are profiled in which run of the application, and with which command.
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

// Of each kernel: launches that are passed over, and how many are then profiled.
struct Launches {
  int64_t skip = 0;
  int64_t count = 1;
};

enum class RunMode { kOneRun, kRunPerKernel };

struct PlannedRun {
  std::vector<size_t> kernels;      // Places in the list of all kernels.
  std::vector<std::string> filter;  // Flags of ncu that choose these launches.
};

// ncu counts the launches of everything that matches together, unless it can count those
// of each launch configuration apart (not yet in 2022.3). Only then can kernels share a
// run.
bool CanShareRuns(const stages::NcuFacts& facts);

// 0, 1, 2, ...: the places of all of them.
std::vector<size_t> EveryKernel(const std::vector<ChosenKernel>& kernels);

// Runs for the kernels at the places `wanted`. With kOneRun as few as the length of a
// command line allows; kernels may then be missed whose launch configurations (grid,
// block, shared memory) are those of others: they need a further run.
std::vector<PlannedRun> PlanRuns(const std::vector<ChosenKernel>& kernels,
                                 std::span<const size_t> wanted, const Launches& launches,
                                 RunMode mode);

// Those that this ncu has; `missing` gets the others.
std::vector<std::string> KnownSections(const std::vector<std::string>& sections,
                                       const stages::NcuFacts& facts,
                                       std::vector<std::string>& missing);

// `report` is without ".ncu-rep", which ncu adds.
os::Command CaptureCommand(const PlannedRun& run,
                           const std::vector<std::string>& sections,
                           const std::filesystem::path& report,
                           const std::vector<std::string>& application);

// Prints the rows of one kernel of a report as CSV; `page` are additional flags.
os::Command ImportCommand(const std::filesystem::path& report, const ChosenKernel& kernel,
                          const std::vector<std::string>& page);

}  // namespace ridgeline::app
