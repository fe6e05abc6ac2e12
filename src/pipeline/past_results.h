// What earlier stages of the same run found out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace ridgeline::pipeline {

// A kernel with all its launches.
struct KernelTime {
  std::string name;  // Demangled.
  int64_t launches = 0;
  int64_t time_ns = 0;
};

class PastResults {
 public:
  virtual ~PastResults() = default;
  // That nsys saw in this run, the one with the most time first; empty if it did not run
  // or saw none. If some were launched inside NVTX ranges whose names match one of
  // `ranges` (globs), only those launches count.
  virtual Result<std::vector<KernelTime>> Kernels(
      const std::vector<std::string>& ranges) = 0;
};

}  // namespace ridgeline::pipeline
