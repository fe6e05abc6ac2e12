// Measures peak FLOP/s (GEMM) and peak bandwidth (device copy).
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "hardware/gpu_peaks.h"

namespace ridgeline::inference {

struct MeasurePlan {
  std::vector<int64_t> sides = {2048, 4096, 8192};  // Of square matrices.
  int64_t copy_bytes = int64_t{1} << 29;            // Size of each buffer.
  int rounds = 5;
  double round_s = 0.02;  // Duration of a round; the clock is coarse.
};

// For bf16, fp16 and fp32; fp32 without TF32, which is off by default in libtorch. Works
// on any device, but is meant for GPUs: for CPUs see hardware/cpu_peaks.h.
hardware::GpuPeaks MeasureDevice(at::Device device, const MeasurePlan& plan = {});

}  // namespace ridgeline::inference
