// Two texts, static_compute.json and metrics.json, with a line "---" between them: either
// they are refused, or they are a run whose efficiencies are numbers above 0.
#include <cmath>
#include <optional>
#include <string_view>

#include "estimates/measured_run.h"
#include "estimates/prediction.h"
#include "tests/fuzz/fuzz.h"

namespace {

namespace estimates = ridgeline::estimates;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

constexpr std::string_view kBetween = "\n---\n";

void Check(const std::optional<estimates::Efficiency>& efficiency) {
  if (!efficiency) return;
  Require(efficiency->samples >= 1);
  Require(efficiency->least > 0 && efficiency->least <= efficiency->most);
  const estimates::Interval interval = estimates::Expect(1, *efficiency);
  Require(!std::isnan(interval.least_s) && !std::isnan(interval.most_s));
  Require(interval.least_s <= interval.most_s);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  const size_t between = text.find(kBetween);
  if (between == std::string_view::npos) return 0;
  const auto run = estimates::MeasureRun(text.substr(0, between),
                                         text.substr(between + kBetween.size()));
  if (!run.ok()) {
    Require(!run.error().message().empty());
    return 0;
  }
  Require(run.value().samples >= 1 && run.value().totals.size() == 4);
  Check(run.value().vision);
  Check(run.value().prefill);
  Check(run.value().decode);
  return 0;
}
