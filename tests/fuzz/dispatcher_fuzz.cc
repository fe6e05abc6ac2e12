// Any text is refused with a message that names it, or is a count that can be compared
// with a ledger.
#include <string_view>

#include "models/deepseek_ocr/ledger.h"
#include "models/deepseek_ocr/presets.h"
#include "profiles/op_counts.h"
#include "tests/fuzz/fuzz.h"

namespace dispatcher_fuzz {

namespace cost = ridgeline::cost;
namespace profiles = ridgeline::profiles;
namespace ocr = ridgeline::models::deepseek_ocr;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

const cost::Ledger& TinyLedger() {
  static const cost::Ledger ledger =
      ocr::MakeLedger(*ocr::Preset("tiny"), {.views = {{.side = 256, .count = 1}},
                                             .prompt_tokens = 30,
                                             .image_tokens = 21,
                                             .decode_steps = 3})
          .value();
  return ledger;
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  const auto parsed = profiles::ParseOpCounts(text, "fuzz.json");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.json: "));
    return 0;
  }
  Require(parsed.value().decode_steps.value_or(0) >= 0);
  const cost::FlopCheck report =
      cost::CheckFlops(TinyLedger(), profiles::PhasesOf(parsed.value()));
  const bool agrees = cost::CheckAgreement(report, cost::Fallback::kFill).ok();
  const bool is_all = cost::CheckAgreement(report, cost::Fallback::kNone).ok();
  Require(agrees || !is_all);
  return 0;
}

}  // namespace dispatcher_fuzz

RIDGELINE_FUZZ_TARGET(dispatcher_fuzz)
