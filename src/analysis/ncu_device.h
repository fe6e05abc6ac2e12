// Looks up GPUs of launches measured by ncu in the table of GPU specs.
#pragma once

#include <string_view>

#include "analysis/ncu_findings.h"
#include "hardware/gpu_specs.h"

namespace ridgeline::analysis {

// From an entry of the table. Tensor peak: dense BF16 with FP32 accumulation; FP16 on
// GPUs without BF16.
NcuDevice NcuDeviceOf(const hardware::GpuSpec& ceiling);

// From the attributes in the file; may be unknown.
NcuDevice NcuDeviceOf(const NcuKernel& kernel, std::string_view capability);

}  // namespace ridgeline::analysis
