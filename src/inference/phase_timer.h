#pragma once

#include <ATen/ATen.h>

#include <chrono>

#include "inference/device.h"

namespace ridgeline::inference {

// Adds the wall time of its life to `seconds`, taken with the device idle at both ends.
class PhaseTimer {
 public:
  PhaseTimer(at::Device device, double& seconds) : device_(device), seconds_(seconds) {
    WaitFor(device_);
    start_ = Clock::now();
  }
  ~PhaseTimer() {
    WaitFor(device_);
    seconds_ += std::chrono::duration<double>(Clock::now() - start_).count();
  }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;

  at::Device device_;
  double& seconds_;
  Clock::time_point start_;
};

}  // namespace ridgeline::inference
