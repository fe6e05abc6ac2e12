// Results of earlier stages of the same run.
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
  // Kernels captured by nsys in this run, by descending time; empty if it did not run or
  // captured none. If some were launched inside NVTX ranges whose names match one of
  // `ranges` (globs), only those launches count.
  virtual Result<std::vector<KernelTime>> Kernels(
      const std::vector<std::string>& ranges) = 0;
};

}  // namespace ridgeline::pipeline
