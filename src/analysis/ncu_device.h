// GPUs of launches that ncu measured, in the table of GPU specs.
#pragma once

#include <string_view>

#include "analysis/ncu_findings.h"
#include "hardware/gpu_specs.h"

namespace ridgeline::analysis {

// A GPU of the table. Tensor cores: dense BF16 with FP32 sums, FP16 on GPUs without BF16.
NcuDevice NcuDeviceOf(const hardware::GpuSpec& ceiling);

// From the attributes in the file; it may be unknown.
NcuDevice NcuDeviceOf(const NcuKernel& kernel, std::string_view capability);

}  // namespace ridgeline::analysis
