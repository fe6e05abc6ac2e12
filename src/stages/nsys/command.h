// Command lines of nsys, for the installed version.
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
  std::string impossible;  // Not empty: why this nsys does not support it.
};

// An `nsys profile` command whose reports begin with `report_base`. `nvtx_capture`: the
// range it waits for; empty: none.
NsysCommand BuildNsysCommand(const NsysOptions& options, const NsysFacts& facts,
                             const std::string& nvtx_capture, const os::Command& workload,
                             const std::filesystem::path& report_base);

// Converts a report to SQLite.
os::Command BuildNsysExport(const std::filesystem::path& report,
                            const std::filesystem::path& sqlite);

// A summary of `nsys stats`, identified by its current name in every version.
struct NsysSummary {
  std::string name;    // "cuda_gpu_kern_sum": used in the file name.
  std::string report;  // "gpukernsum": the name in this nsys.
};

// Summaries supported by this nsys.
std::vector<NsysSummary> NsysSummaries(const NsysFacts& facts);

// Writes <base>_<report>.csv for each summary.
os::Command BuildNsysStats(const std::filesystem::path& sqlite,
                           const std::vector<NsysSummary>& summaries,
                           const std::filesystem::path& base);

}  // namespace ridgeline::stages
