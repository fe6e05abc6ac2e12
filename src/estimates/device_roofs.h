// The roofs of a device that is named in the configuration or on the command line.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cost/roofline.h"
#include "estimates/page_estimate.h"
#include "hardware/gpu.h"
#include "hardware/roofs.h"

namespace ridgeline::estimates {

struct DeviceRoofs {
  std::string device;  // "cpu: Intel Xeon", "cuda:0: NVIDIA A10", "A100 SXM4 80GB"
  DeviceKind kind = DeviceKind::kCpu;
  hardware::Roofs roofs;

  cost::RoofRates rates() const {
    return {roofs.compute_flops_per_s, roofs.memory_bytes_per_s};
  }
};

// Where the machine is asked; tests put others here.
struct RoofSources {
  std::function<hardware::GpuSurvey()> survey;
  std::function<Result<hardware::MeasuredRoofs>()> measure;  // Takes half a second.
  // Of the GPU that runs, if somebody measured it; we cannot, without CUDA.
  std::optional<hardware::MeasuredCeilings> measured_gpu;
  std::string cpu_name;
  std::optional<std::string> peak_tflops_variable;
};
RoofSources ThisMachine();

// The arithmetic of a dtype: on a CPU fp32, whatever is asked for.
Result<hardware::Arithmetic> ArithmeticOf(DeviceKind kind, std::string_view dtype);

// Of `options.device` on this machine. A GPU that is not there or not in the table is no
// error: its roofs are what was measured, or unknown, and say how to give them. What is
// given by hand is not measured.
Result<DeviceRoofs> RoofsHere(const EstimateOptions& options, const RoofSources& sources);

// The entry of the table that is called so, or the only one whose name holds these
// letters, in upper or lower case. An error tells the candidates.
Result<const hardware::Ceiling*> FindCeiling(std::string_view name,
                                             std::span<const hardware::Ceiling> table);

// Of an entry of the table; hardware.* of the options go before it.
Result<DeviceRoofs> RoofsOf(const hardware::Ceiling& ceiling,
                            const EstimateOptions& options);

}  // namespace ridgeline::estimates
