// Measures peak FLOP/s (GEMM) and peak bandwidth (device copy).
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "hardware/gpu_peaks.h"

namespace ridgeline::inference {

struct MeasurePlan {
  std::vector<int64_t> sides = {2048, 4096, 8192};  // Of square matrices.
  int64_t copy_bytes = int64_t{1} << 29;            // Of either buffer.
  int rounds = 5;
  double round_s = 0.02;  // A round repeats until about so long; the clock is coarse.
};

// bf16, fp16 and fp32; fp32 without TF32, which is off by default in libtorch.
// On any device, but meant for a GPU: a CPU has hardware/cpu_peaks.h.
hardware::GpuPeaks MeasureDevice(at::Device device, const MeasurePlan& plan = {});

}  // namespace ridgeline::inference
