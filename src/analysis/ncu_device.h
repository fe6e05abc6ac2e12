// The GPU under whose ceilings kernels are drawn.
#pragma once

#include <string>

#include "analysis/ncu_findings.h"
#include "hardware/gpu_specs.h"
#include "results/ncu_rows.h"

namespace ridgeline::analysis {

struct NcuDevice {
  std::string name;  // "GeForce RTX 5090"; empty: not known.
  // From the table of ceilings, where it has the GPU. Tensor cores: dense BF16 with FP32
  // sums, FP16 on GPUs without BF16.
  NcuCeilings ceilings;
  std::string note;  // Why there are no ceilings of the table, or what they are.
};

// A GPU of the table.
NcuDevice NcuDeviceOf(const hardware::GpuSpec& ceiling);

// By what the files say of it; it may be unknown.
NcuDevice NcuDeviceOf(const results::NcuRows& rows);

}  // namespace ridgeline::analysis
