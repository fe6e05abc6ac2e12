// The command lines of nsys, in the words of the version that is here.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "os/command.h"
#include "stages/nsys/capabilities.h"
#include "stages/nsys/options.h"

namespace ridgeline::stages {

struct NsysCommand {
  os::Command command;
  // Notes about options that this nsys lacks and their replacements.
  std::vector<std::string> changes;
  std::string impossible;  // Not empty: why this nsys cannot do it.
};

// One `nsys profile` whose reports begin with `report_base`. `nvtx_capture` is the range
// it waits for; empty where it waits for none.
NsysCommand BuildNsysCommand(const NsysOptions& options, const NsysFacts& facts,
                             const std::string& nvtx_capture, const os::Command& workload,
                             const std::filesystem::path& report_base);

// From a report to its SQLite export.
os::Command BuildNsysExport(const std::filesystem::path& report,
                            const std::filesystem::path& sqlite);

// A summary of `nsys stats` by its current name, in every version.
struct NsysSummary {
  std::string name;    // "cuda_gpu_kern_sum": in the file's name.
  std::string report;  // "gpukernsum": what this nsys calls it.
};

// Those that this nsys has.
std::vector<NsysSummary> NsysSummaries(const NsysFacts& facts);

// Writes <base>_<report>.csv for each of them.
os::Command BuildNsysStats(const std::filesystem::path& sqlite,
                           const std::vector<NsysSummary>& summaries,
                           const std::filesystem::path& base);

}  // namespace ridgeline::stages
