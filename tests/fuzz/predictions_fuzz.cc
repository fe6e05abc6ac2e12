// Any text is refused with its line, or is predictions that come back from their own
// lines and equal themselves.
#include <string>
#include <string_view>
#include <vector>

#include "model_io/predictions/parity.h"
#include "model_io/predictions/predictions_file.h"
#include "tests/fuzz/fuzz.h"

namespace predictions_fuzz {

namespace predictions = ridgeline::predictions;
using Parsed = ridgeline::Result<std::vector<predictions::Prediction>>;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

std::string ToJsonLines(const std::vector<predictions::Prediction>& pages) {
  std::string lines;
  for (const auto& page : pages) lines += predictions::ToJsonLine(page);
  return lines;
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  const Parsed parsed = predictions::ParsePredictions(text, "fuzz.jsonl");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.jsonl:"));
    return 0;
  }
  const std::string lines = ToJsonLines(parsed.value());
  const Parsed again = predictions::ParsePredictions(lines, "written.jsonl");
  Require(again.ok() && ToJsonLines(again.value()) == lines);
  const predictions::Parity parity = predictions::Compare(parsed.value(), again.value());
  Require(parity.passed() == !parsed.value().empty());
  Require(!predictions::ToJson(parity).empty());
  return 0;
}

}  // namespace predictions_fuzz

RIDGELINE_FUZZ_TARGET(predictions_fuzz)
