#pragma once

#include <ATen/ATen.h>

#include <string>

#include "base/result.h"

namespace ridgeline::inference {

struct DeviceChoice {
  at::Device device = at::kCPU;
  at::ScalarType dtype = at::kFloat;  // Compute dtype.
};

// From `device` (cpu, cuda, cuda:N, auto) and model.dtype. A CPU computes in f32,
// whatever the type of the weights: its bf16 is many times slower. Fails with a hint if
// the device is missing.
Result<DeviceChoice> ChooseDevice(const std::string& device, const std::string& dtype);

// Synchronizes with the device: GPU work is asynchronous.
void WaitFor(at::Device device);

// Call before creating the first tensor: uses all threads (a libtorch built without its
// own pool uses one by default), and keeps freed memory.
void PrepareCpu();

}  // namespace ridgeline::inference
