// metrics.json of a model, for both that read it: any text is refused with a message that
// names it, or becomes rows and a report.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "importers/model_metrics.h"
#include "reports/profile_report.h"
#include "reports/stakeholder_summary.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libFuzzer's bytes.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ridgeline::results::ResultStore store;
  const auto imported = ridgeline::importers::ImportModelMetrics(
      text, {.file = "fuzz.json"}, ridgeline::results::PhaseSample::Pass::kUnprofiled,
      store);
  Require(imported.ok() == !store.sources.empty());
  if (!imported.ok()) Require(imported.error().message().starts_with("fuzz.json: "));
  const auto parsed = ridgeline::reports::ParseModelMetrics(text, "fuzz.json");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("fuzz.json: "));
    return 0;
  }
  const ridgeline::reports::ProfileReport report = {parsed.value(), {}, {}, "unknown"};
  Require(!ridgeline::reports::ReportMarkdown(report).empty());
  Require(!ridgeline::reports::StakeholderSummary(report).empty());
  return 0;
}
