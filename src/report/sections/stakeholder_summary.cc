#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analysis/statistics.h"
#include "base/plural.h"
#include "base/units.h"
#include "cost/roofline.h"
#include "report/printers/markdown.h"
#include "report/sections/phases.h"
#include "report/sections/summary_lines.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

using profiles::MeasuredQuantity;
using profiles::ModelMetrics;

constexpr size_t kSummarizedOperators = 5;

std::string MeanOf(const MeasuredQuantity& quantity, std::string (*show)(double)) {
  return MeanText(quantity.summary.mean, quantity.summary.mean_interval, show);
}

std::string Headline(const ModelMetrics& metrics) {
  std::string text;
  if (const MeasuredQuantity* page = Find(metrics, "end_to_end_s")) {
    text += fmt::format("- End-to-end time per {}: {}.\n", metrics.unit,
                        MeanOf(*page, ShowSeconds));
  }
  if (const std::optional<double> speed = metrics.decode_tokens_per_s()) {
    text += fmt::format("- Decode throughput: {} tokens/s over {}.\n", Ratio(*speed),
                        Samples(static_cast<int64_t>(metrics.samples.size())));
  }
  if (metrics.peak_rss_bytes > 0) {
    text += fmt::format("- Peak RSS: {}.\n",
                        SignedBytes(static_cast<double>(metrics.peak_rss_bytes)));
  }
  return text;
}

std::string PhasesSection(const ModelMetrics& metrics) {
  const auto mean = [&metrics](const char* name) {
    const MeasuredQuantity* found = Find(metrics, name);
    return found == nullptr ? 0 : found->summary.mean;
  };
  const std::string table = PagePartsTable({.end_to_end_s = mean("end_to_end_s"),
                                            .preprocess_s = mean("preprocess_s"),
                                            .vision_s = mean("vision_s"),
                                            .prefill_s = mean("prefill_s"),
                                            .decode_s = mean("decode_s"),
                                            .unit = metrics.unit});
  return table.empty() ? "" : "\n## Phases\n\n" + table;
}

std::string LimitSection(const ProfileReport& report) {
  std::string text = "\n## Roofline\n\n";
  if (!report.efficiency) return text + Escaped(report.why_no_efficiency) + "\n";
  for (const analysis::PhaseTotal& total : report.efficiency->totals) {
    if (total.name == "end_to_end") continue;
    const cost::RooflineTime bounds =
        cost::RooflineTimeOf(total.cost, report.efficiency->ceilings);
    if (!bounds.lower_s || !(*bounds.lower_s > 0) || !(total.seconds > 0)) continue;
    text += LimitLine(
        CostedPhaseName(total.name, report.efficiency->Find("vision") != nullptr),
        total.seconds / *bounds.lower_s, report.efficiency->device,
        bounds.bound == cost::BoundClass::kMemory);
  }
  return text;
}

std::string OperatorsSection(const profiles::OperatorProfile& profile) {
  std::vector<const profiles::OperatorRow*> operators;
  int64_t whole_ns = 0;
  for (const profiles::OperatorRow& row : profile.operators) {
    whole_ns += row.total.self_ns;
    if (row.total.kind == profiles::EventKind::kOperator) operators.push_back(&row);
  }
  const int64_t within_ns = std::accumulate(
      operators.begin(), operators.end(), int64_t{0},
      [](int64_t sum, const auto* row) { return sum + row->total.self_ns; });
  if (whole_ns <= 0) return "";
  std::string text = fmt::format(
      "\n## Top operators\n\n{} of the profiled pass is in operators; the rest is "
      "between them.\n\n",
      Percent(static_cast<double>(within_ns) / static_cast<double>(whole_ns)));
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; i < std::min(kSummarizedOperators, operators.size()); ++i) {
    const profiles::OperatorTotal& total = operators[i]->total;
    rows.push_back(
        {operators[i]->name,
         Percent(static_cast<double>(total.self_ns) / static_cast<double>(whole_ns)),
         WithCommas(total.calls)});
  }
  return text + Table({{"Operator", Align::kLeft}, {"Self CPU %"}, {"Calls"}}, rows);
}

// Limits of the measurement.
std::string TrustSection(const ProfileReport& report) {
  const ModelMetrics& metrics = report.metrics;
  std::string text = "\n## Measurement\n\n";
  text += metrics.unit == profiles::kPageUnit
              ? fmt::format("- n={} over {} after {}; all times are unprofiled.\n",
                            metrics.samples.size(), Plural(metrics.pages(), "page"),
                            Plural(metrics.warmup_rounds, "warm-up round"))
              : fmt::format("- n={} after {}; all times are unprofiled.\n",
                            metrics.samples.size(),
                            Plural(metrics.warmup_rounds, "warm-up call"));
  if (metrics.samples.size() < analysis::kMinForInterval) {
    text +=
        "- Too few samples for a 95 % CI: raise run.repeats or "
        "dataset.sampling.num_samples_per_epoch.\n";
  }
  for (const std::string& warning : DriftWarnings(metrics)) text += "- " + warning + "\n";
  return text;
}

}  // namespace

std::string StakeholderSummary(const ProfileReport& report) {
  const ModelMetrics& metrics = report.metrics;
  std::string text = fmt::format("# Summary: {} on {}\n\n", Escaped(metrics.model),
                                 Escaped(metrics.device));
  text += Headline(metrics);
  text += PhasesSection(metrics);
  text += LimitSection(report);
  if (report.profile) text += OperatorsSection(*report.profile);
  text += TrustSection(report);
  return text;
}

}  // namespace ridgeline::report
