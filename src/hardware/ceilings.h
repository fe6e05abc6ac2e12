// The ceilings of a device named in the configuration or on the command line, and
// ceilings.json: those of a run's device, looked up or measured once, so that every
// report of the run uses the same numbers.
//   {"schema_version": 1, "device": "cpu: Intel Xeon", "device_kind": "cpu",
//    "arithmetic": "fp32", "peak_flops_per_s": 1.7e11,
//    "peak_flops_source": {"kind": "measured", "text": "measured: avx2, 2 threads, ...",
//                          "rounds_ratio": 1.04},
//    "peak_bytes_per_s": 2.6e10, "peak_bandwidth_source": {...}}
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cost/roofline.h"
#include "hardware/choose_ceilings.h"
#include "hardware/gpu.h"

namespace ridgeline::hardware {

enum class DeviceKind { kCpu, kGpu };

// The device and its arithmetic.
struct DeviceRequest {
  std::string dtype = "bf16";  // model.dtype
  std::string device = "cpu";  // cpu, cuda, cuda:N, auto
  CeilingOverrides ceilings;   // hardware.*
};

struct DeviceCeilings {
  std::string device;  // "cpu: Intel Xeon", "cuda:0: NVIDIA A10", "A100 SXM4 80GB"
  DeviceKind kind = DeviceKind::kCpu;
  Ceilings ceilings;

  cost::PeakRates rates() const {
    return {ceilings.compute_flops_per_s, ceilings.memory_bytes_per_s};
  }
};

// Queries of the machine; tests replace them.
struct CeilingSources {
  std::function<GpuSurvey()> survey;
  std::function<Result<MeasuredPeaks>()> measure;  // Takes half a second.
  // Of the GPU in use, if it was measured; we cannot, without CUDA.
  std::optional<MeasuredCeilings> measured_gpu;
  std::string cpu_name;
  std::optional<std::string> peak_tflops_variable;
};
CeilingSources ThisMachine();

// The arithmetic of a dtype: always fp32 on a CPU.
Result<Arithmetic> ArithmeticOf(DeviceKind kind, std::string_view dtype);

// Ceilings of `request.device` on this machine. A GPU that is missing or not in the table
// is not an error: its ceilings are the measured ones, or unknown with a hint on how to
// set them. Values set by the user are not measured.
Result<DeviceCeilings> CeilingsHere(const DeviceRequest& request,
                                    const CeilingSources& sources);

// The table entry with this name, or the only one whose name contains it, ignoring case.
// The error lists the candidates.
Result<const GpuSpec*> FindGpuSpec(std::string_view name, std::span<const GpuSpec> table);

// Ceilings of a table entry; hardware.* in the request take precedence.
Result<DeviceCeilings> CeilingsOf(const GpuSpec& ceiling, const DeviceRequest& request);

// "config", "environment", "table", "measured", "unknown"
std::string_view NameOf(CeilingSource::Kind kind);

std::string CeilingsJson(const DeviceCeilings& ceilings);

// Errors begin with `origin`: kParse if it is not such a file, kUnsupported if it is from
// a newer version.
Result<DeviceCeilings> ParseCeilings(std::string_view json, std::string_view origin);

// The ceilings in `file`. If it does not exist, the result of CeilingsHere() is written
// to it.
Result<DeviceCeilings> CeilingsOfRun(const std::filesystem::path& file,
                                     const DeviceRequest& request,
                                     const CeilingSources& sources);

}  // namespace ridgeline::hardware
