// Command lines of ncu, for the installed version.
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
  // Notes about options that this ncu lacks or that were rewritten.
  std::vector<std::string> changes;
  std::string impossible;  // Not empty: why this ncu does not support it.
};

// An `ncu` command that writes `report` (without extension).
NcuCommand BuildNcuCommand(const NcuOptions& options, const NcuFacts& facts,
                           const os::Command& workload,
                           const std::filesystem::path& report);

// The options supported by this ncu; notes about the others go to `changes`.
NcuOptions WithoutUnknown(const NcuOptions& options, const NcuFacts& facts,
                          std::vector<std::string>& changes);

// An NVTX range in ncu's syntax, in which a plain name means a start/end range:
//   decode    -> decode/             a push/pop range
//   decode*   -> regex:decode.*/     syntax of earlier presets, which matches nothing
//   L@de*/    -> regex:L@de.*/       in a domain, with or without the slash
// Everything else is unchanged.
std::string NvtxFilter(const std::string& expression);

// A note for each expression changed by NvtxFilter.
std::vector<std::string> NvtxTranslations(const std::vector<std::string>& expressions);

// A page of a report, as text or CSV.
os::Command BuildNcuExport(const std::filesystem::path& report, const std::string& page,
                           bool as_csv);

}  // namespace ridgeline::stages
