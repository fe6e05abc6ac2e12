// Row counts of an export, without reading all of it.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"

namespace ridgeline::profiles {

struct NsysContents {
  int64_t kernels = 0;
  int64_t graphs = 0;  // CUDA graphs that were measured as a whole.
  int64_t copies = 0;  // Copies and memsets of GPU memory.
  int64_t cuda_calls = 0;
  int64_t nvtx_ranges = 0;
  int64_t os_calls = 0;

  bool HasGpuWork() const { return kernels + graphs + copies > 0; }
  bool IsEmpty() const {
    return !HasGpuWork() && cuda_calls + nvtx_ranges + os_calls == 0;
  }
};

Result<NsysContents> ContentsOfNsysExport(const std::filesystem::path& path);

// Exports without the environment of the programs that were profiled.

struct Redaction {
  int64_t values = 0;   // Variables whose values were replaced, however often.
  int64_t secrets = 0;  // Of them, those whose names say so.
};

// Replaces the values of the environment's variables in the file itself; their names
// stay. What was overwritten cannot be found in the file any more.
Result<Redaction> RedactNsysExport(const std::filesystem::path& path);

}  // namespace ridgeline::profiles
