// Two texts, static_compute.json and metrics.json, with a line "---" between them: either
// they are refused, or they are a run whose efficiencies are numbers above 0.
#include <cmath>
#include <optional>
#include <string_view>

#include "analysis/prediction.h"
#include "models/measured_run.h"
#include "tests/fuzz/fuzz.h"

namespace measured_run_fuzz {

namespace analysis = ridgeline::analysis;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

constexpr std::string_view kBetween = "\n---\n";

void Check(const std::optional<analysis::Efficiency>& efficiency) {
  if (!efficiency) return;
  Require(efficiency->samples >= 1);
  Require(efficiency->least > 0 && efficiency->least <= efficiency->most);
  const analysis::TimeInterval interval = analysis::Expect(1, *efficiency);
  Require(!std::isnan(interval.low_s) && !std::isnan(interval.high_s));
  Require(interval.low_s <= interval.high_s);
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  const size_t between = text.find(kBetween);
  if (between == std::string_view::npos) return 0;
  const auto run = ridgeline::models::MeasureRun(text.substr(0, between),
                                                 text.substr(between + kBetween.size()));
  if (!run.ok()) {
    Require(!run.error().message().empty());
    return 0;
  }
  Require(run.value().samples >= 1 && run.value().totals.size() == 4);
  for (const analysis::PhaseTotal& total : run.value().totals) Check(total.efficiency);
  return 0;
}

}  // namespace measured_run_fuzz

RIDGELINE_FUZZ_TARGET(measured_run_fuzz)
