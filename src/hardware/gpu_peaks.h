// gpu_peaks.json: the peak rates of a GPU, as measured by ridgeline-model.
//   {"schema_version": 1, "device": "cuda:0", "reason": null,
//    "arithmetic": [{"name": "bf16", "flops_per_s": 1.5e14, "worst": 1.4e14,
//                    "what": "GEMM 8192 x 8192, best of 5 rounds"}],
//    "memory": {"name": "copy", "bytes_per_s": 9e11, "worst": 8.8e11,
//               "what": "device copy of 536870912 bytes, best of 5 rounds"},
//    "dropped": ["fp16, side 8192: out of memory"]}
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hardware/measured_ceilings.h"

namespace ridgeline::hardware {

inline constexpr const char* kGpuPeaksFile = "gpu_peaks.json";

struct GpuRate {
  std::string name;  // "bf16"; "copy" for a copy.
  double best_per_s = 0;
  double worst_per_s = 0;
  std::string what;  // "GEMM 8192 x 8192, best of 5 rounds"

  bool operator==(const GpuRate&) const = default;
};

struct GpuPeaks {
  std::string device;                 // "cuda:0"
  std::optional<std::string> reason;  // Why nothing was measured.
  std::vector<GpuRate> products;      // FLOP/s, one per arithmetic.
  std::optional<GpuRate> copy;        // Bytes read and written per second.
  std::vector<std::string> left_out;  // Unsupported on the device, with reasons.

  bool operator==(const GpuPeaks&) const = default;
};

std::string ToJson(const GpuPeaks& peaks);

// `origin` begins the error message. All rates are finite and above 0; all names of
// products are arithmetics.
Result<GpuPeaks> ParseGpuPeaks(std::string_view json, std::string_view origin);

MeasuredCeilings CeilingsOf(const GpuPeaks& peaks);

}  // namespace ridgeline::hardware
