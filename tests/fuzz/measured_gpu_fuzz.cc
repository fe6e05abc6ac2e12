// Any measured_roofs.json is refused with a message that names it, or has only finite
// numbers above 0.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "estimates/measured_gpu.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libFuzzer's bytes.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = ridgeline::estimates::ParseMeasuredGpu(text, "fuzz.json");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.json: "));
    return 0;
  }
  for (const auto& peak : parsed.value().peaks) {
    Require(peak.flops_per_s > 0 && std::isfinite(peak.flops_per_s));
  }
  if (parsed.value().memory) {
    Require(parsed.value().memory->bytes_per_s > 0 &&
            std::isfinite(parsed.value().memory->bytes_per_s));
  }
  return 0;
}
