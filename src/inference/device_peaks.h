// Measures peak FLOP/s (GEMM) and peak bandwidth (device copy).
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::inference {

struct MeasurePlan {
  std::vector<int64_t> sides = {2048, 4096, 8192};  // Of square matrices.
  int64_t copy_bytes = int64_t{1} << 29;            // Of either buffer.
  int rounds = 5;
  double round_s = 0.02;  // A round repeats until about so long; the clock is coarse.
};

struct DeviceRate {
  std::string name;  // "bf16"; of a copy, "copy".
  double best_per_s = 0;
  double worst_per_s = 0;
  std::string what;  // "product of 8192 x 8192 matrices, best of 5 rounds"
};

struct DeviceRates {
  std::string device;                 // "cuda:0"
  std::vector<DeviceRate> products;   // FLOP/s of the best side, for each type.
  std::optional<DeviceRate> copy;     // Bytes read and written per second.
  std::vector<std::string> left_out;  // Unsupported on the device, with reasons.
};

// bf16, fp16 and fp32; fp32 without TF32, which is off by default in libtorch.
// On any device, but meant for a GPU: a CPU has hardware/measured_roofs.h.
DeviceRates MeasureDevice(at::Device device, const MeasurePlan& plan = {});

}  // namespace ridgeline::inference
