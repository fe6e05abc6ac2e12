// Any measured_roofs.json is refused with a message that names it, or has only finite
// numbers above 0.
#include <cmath>
#include <string_view>

#include "estimates/measured_gpu.h"
#include "tests/fuzz/fuzz.h"

namespace {

using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
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
