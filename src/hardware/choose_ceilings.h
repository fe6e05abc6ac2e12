// The ceilings of the device (peak FLOP/s, peak bandwidth) and their sources.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "hardware/gpu_specs.h"
#include "hardware/match_gpu.h"
#include "hardware/measured_ceilings.h"

namespace ridgeline::hardware {

inline constexpr const char* kPeakTflopsKey = "hardware.peak_tflops";
inline constexpr const char* kPeakGbpsKey = "hardware.peak_gbps";
inline constexpr const char* kPeakTflopsVariable = "MFU_PEAK_TFLOPS";

// Values from the configuration; both dense, for the dtype in use.
struct CeilingOverrides {
  std::optional<double> peak_tflops;  // hardware.peak_tflops
  std::optional<double> peak_gbps;    // hardware.peak_gbps
};

struct CeilingSource {
  enum class Kind {
    kUnknown,  // No value; `text` gives the reason and the key to set.
    kConfig,
    kEnvironment,
    kTable,
    kMeasured,
  };

  Kind kind = Kind::kUnknown;
  // "hardware.peak_tflops"; "A100 SXM4 40GB: NVIDIA A100 datasheet, 2020"; "measured:
  // avx2, 2 threads, best of 12 rounds".
  std::string text;
  // Fastest round of a measurement over the slowest: far above 1 under load.
  std::optional<double> rounds_ratio = std::nullopt;
};

struct Ceilings {
  Arithmetic arithmetic = Arithmetic::kFp32;
  std::optional<double> compute_flops_per_s;  // Dense.
  CeilingSource peak_flops_source;
  std::optional<double> memory_bytes_per_s;
  CeilingSource peak_bandwidth_source;
};

// Precedence: the configuration key, the environment variable (`peak_tflops_variable` is
// its value; empty means not set), the table, the measurement. `match` is empty for a run
// on the CPU; `measured` is of the device in use. An unknown ceiling stays empty and is
// not an error. Errors: kConfig if a given value is not a finite number above 0; the
// message names its key.
Result<Ceilings> ChooseCeilings(const CeilingOverrides& overrides,
                                const std::optional<std::string>& peak_tflops_variable,
                                const std::optional<DeviceMatch>& match,
                                const std::optional<MeasuredCeilings>& measured,
                                Arithmetic arithmetic);

}  // namespace ridgeline::hardware
