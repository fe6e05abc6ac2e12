// Any text is refused with a message that names it, or is a count that can be held
// against a ledger.
#include <string_view>

#include "estimates/dispatcher_count.h"
#include "models/deepseek_ocr/presets.h"
#include "tests/fuzz/fuzz.h"

namespace {

namespace estimates = ridgeline::estimates;
namespace ocr = ridgeline::models::deepseek_ocr;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

const ocr::Ledger& TinyLedger() {
  static const ocr::Ledger ledger =
      ocr::MakeLedger(*ocr::Preset("tiny"), {.views = {{.side = 256, .count = 1}},
                                             .prompt_tokens = 30,
                                             .image_tokens = 21,
                                             .decode_steps = 3})
          .value();
  return ledger;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  const auto parsed = estimates::ParseDispatcherCount(text, "fuzz.json");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.json: "));
    return 0;
  }
  Require(parsed.value().decode_steps.value_or(0) >= 0);
  const estimates::DispatcherReport report =
      estimates::ReconcileAll(TinyLedger(), parsed.value());
  const bool agrees = estimates::CheckAgreement(report, estimates::Fallback::kFill).ok();
  const bool is_all = estimates::CheckAgreement(report, estimates::Fallback::kNone).ok();
  Require(agrees || !is_all);
  return 0;
}
