// The command lines of ncu, in the words of the version that is here.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "os/command.h"
#include "stages/ncu/capabilities.h"
#include "stages/ncu/options.h"

namespace ridgeline::stages {

struct NcuCommand {
  os::Command command;
  // What this ncu lacks or wants otherwise, and what is done; for people.
  std::vector<std::string> changes;
  std::string impossible;  // Not empty: why this ncu cannot do it.
};

// One `ncu` that writes `report` (without its ending).
NcuCommand BuildNcuCommand(const NcuOptions& options, const NcuFacts& facts,
                           const os::Command& workload,
                           const std::filesystem::path& report);

// The same options without what this ncu lacks; what is left out goes to `changes`.
NcuOptions WithoutUnknown(const NcuOptions& options, const NcuFacts& facts,
                          std::vector<std::string>& changes);

// How ncu has to be told of an NVTX range: a name alone means one of start/end to it.
//   decode    -> decode/             a push/pop range
//   decode*   -> regex:decode.*/     as earlier presets said it
// Everything else stays as it is.
std::string NvtxFilter(const std::string& expression);

// A page of a report, as text or CSV.
os::Command BuildNcuExport(const std::filesystem::path& report, const std::string& page,
                           bool as_csv);

}  // namespace ridgeline::stages
