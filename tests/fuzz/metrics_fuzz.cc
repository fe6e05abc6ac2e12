// metrics.json of a model: any text is refused with a message that
// names it, or becomes rows, a report
// and the same metrics when it is written and read again.
#include <string_view>

#include "profiles/model_metrics.h"
#include "report/sections/phases.h"
#include "tests/fuzz/fuzz.h"

namespace metrics_fuzz {

using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  ridgeline::results::ResultStore store;
  const auto imported = ridgeline::profiles::ImportModelMetrics(
      text, {.file = "fuzz.json"}, ridgeline::results::PhaseSample::Pass::kUnprofiled,
      store);
  Require(imported.ok() == !store.sources.empty());
  if (!imported.ok()) Require(imported.error().message().starts_with("fuzz.json: "));
  const auto parsed = ridgeline::profiles::ParseModelMetrics(text, "fuzz.json");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.json: "));
    return 0;
  }
  const auto again = ridgeline::profiles::ParseModelMetrics(
      ridgeline::profiles::ToJson(parsed.value()), "again.json");
  Require(again.ok() && again.value().samples.size() == parsed.value().samples.size());
  const ridgeline::report::ProfileReport report = {.metrics = parsed.value(),
                                                   .why_no_efficiency = "unknown"};
  Require(!ridgeline::report::ReportMarkdown(report).empty());
  Require(!ridgeline::report::StakeholderSummary(report).empty());
  return 0;
}

}  // namespace metrics_fuzz

RIDGELINE_FUZZ_TARGET(metrics_fuzz)
