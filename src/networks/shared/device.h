#pragma once

#include <ATen/ATen.h>

#include <string>

#include "base/result.h"

namespace ridgeline::networks {

struct DeviceChoice {
  at::Device device = at::kCPU;
  at::ScalarType dtype = at::kFloat;  // What is computed in.
};

// From `device` (cpu, cuda, cuda:N, auto) and model.dtype. A CPU computes in f32,
// whatever the weights are: its bf16 is many times slower. A device that is not there is
// an error that names the way out.
Result<DeviceChoice> ChooseDevice(const std::string& device, const std::string& dtype);

// libtorch takes one thread by itself where it was built without its own pool.
void UseAllThreads();

}  // namespace ridgeline::networks
