// Any text is refused with its line, or is predictions that come back from their own
// lines and equal themselves.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "predictions/parity.h"
#include "predictions/predictions_file.h"

namespace {

namespace predictions = ridgeline::predictions;
using Parsed = ridgeline::Result<std::vector<predictions::PagePrediction>>;

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libFuzzer's bytes.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Parsed parsed = predictions::ParsePredictions(text, "fuzz.jsonl");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.jsonl:"));
    return 0;
  }
  const std::string lines = predictions::ToJsonLines(parsed.value());
  const Parsed again = predictions::ParsePredictions(lines, "written.jsonl");
  Require(again.ok() && predictions::ToJsonLines(again.value()) == lines);
  const predictions::Parity parity = predictions::Compare(parsed.value(), again.value());
  Require(parity.valid() == !parsed.value().empty());
  Require(!predictions::ToJson(parity).empty());
  return 0;
}
