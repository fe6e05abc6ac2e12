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
// whatever the weights are: its bf16 is many times slower. A device that is not there is
// an error that names the way out.
Result<DeviceChoice> ChooseDevice(const std::string& device, const std::string& dtype);

// Synchronizes with the device: GPU work is asynchronous.
void WaitFor(at::Device device);

// Before the first tensor: all threads (libtorch takes one by itself where it was built
// without its own pool), and memory that is kept.
void PrepareCpu();

}  // namespace ridgeline::inference
