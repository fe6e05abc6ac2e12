// Row counts of an export, without reading all of it.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"

namespace ridgeline::profiles {

struct NsysContents {
  int64_t kernels = 0;
  int64_t graphs = 0;  // CUDA graphs traced as a whole.
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

// Removes the environment of profiled programs from exports.

struct Redaction {
  int64_t values = 0;   // Unique variables whose values were replaced.
  int64_t secrets = 0;  // Those with the name of a secret.
};

// Replaces the values of environment variables in the file itself; names are kept. The
// overwritten data cannot be recovered from the file.
Result<Redaction> RedactNsysExport(const std::filesystem::path& path);

}  // namespace ridgeline::profiles
