// Ceilings measured on the device in use, with their descriptions for reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hardware/cpu_peaks.h"
#include "hardware/gpu_specs.h"

namespace ridgeline::hardware {

struct MeasuredPeak {
  Arithmetic arithmetic = Arithmetic::kFp32;
  double flops_per_s = 0;
  std::string text;  // "avx2, 2 threads, best of 12 rounds"
  std::optional<double> rounds_ratio = std::nullopt;  // Fastest over slowest.
};

struct MeasuredBandwidth {
  double bytes_per_s = 0;
  std::string text;  // "read, 2 threads, best of 9 rounds"
  std::optional<double> rounds_ratio = std::nullopt;  // Fastest over slowest.
};

struct MeasuredCeilings {
  std::vector<MeasuredPeak> peaks;
  std::optional<MeasuredBandwidth> memory;
  // Why a value is missing. Empty: the table's value is kept.
  std::string why_no_peak;
  std::string why_no_memory;

  // Null: not measured.
  const MeasuredPeak* PeakOf(Arithmetic arithmetic) const;
};

// For a CPU: fp32, and the best of read, copy and triad, provided they exceeded the
// caches.
MeasuredCeilings CeilingsOf(const MeasuredPeaks& measured);

}  // namespace ridgeline::hardware
