// Exports without the environment of the programs that were profiled.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"

namespace ridgeline::profiles {

struct Redaction {
  int64_t values = 0;   // That were replaced.
  int64_t secrets = 0;  // Of them, those whose names say so.
};

// Replaces the values of the environment's variables in the file itself; their names
// stay. What was overwritten cannot be found in the file any more.
Result<Redaction> RedactNsysExport(const std::filesystem::path& path);

}  // namespace ridgeline::profiles
