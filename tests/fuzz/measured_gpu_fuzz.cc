// Any gpu_peaks.json is refused with a message that names it, or has only finite
// numbers above 0.
#include <cmath>
#include <string_view>

#include "hardware/gpu_peaks.h"
#include "tests/fuzz/fuzz.h"

namespace measured_gpu_fuzz {

using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  const auto parsed = ridgeline::hardware::ParseGpuPeaks(text, "fuzz.json");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.json: "));
    return 0;
  }
  const auto ceilings = ridgeline::hardware::CeilingsOf(parsed.value());
  Require(ceilings.peaks.size() == parsed.value().products.size());
  for (const auto& peak : ceilings.peaks) {
    Require(peak.flops_per_s > 0 && std::isfinite(peak.flops_per_s));
  }
  if (ceilings.memory) {
    Require(ceilings.memory->bytes_per_s > 0 &&
            std::isfinite(ceilings.memory->bytes_per_s));
  }
  return 0;
}

}  // namespace measured_gpu_fuzz

RIDGELINE_FUZZ_TARGET(measured_gpu_fuzz)
