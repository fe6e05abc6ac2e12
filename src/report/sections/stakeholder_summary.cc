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

std::string MeanOf(const MeasuredQuantity& quantity) {
  const results::Summary& summary = quantity.summary;
  MeanTime time = {.samples = static_cast<int64_t>(summary.count),
                   .mean_s = summary.mean,
                   .min_s = summary.min,
                   .max_s = summary.max};
  if (const auto& interval = summary.mean_interval) {
    time.ci95_s = {interval->low, interval->high};
  }
  return MeanText(time);
}

std::string Headline(const ModelMetrics& metrics) {
  std::string text;
  if (const MeasuredQuantity* page = Find(metrics, "end_to_end_s")) {
    text += fmt::format("- End-to-end time per {}: {}.\n", metrics.unit, MeanOf(*page));
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
  const bool has_vision = report.efficiency->Find("vision") != nullptr;
  for (const analysis::PhaseEfficiency& phase :
       analysis::EfficienciesOf(*report.efficiency)) {
    if (phase.name == "end_to_end" || !phase.roofline_slowdown) continue;
    const bool is_memory = phase.bounds.bound == cost::BoundClass::kMemory;
    const PhaseLimit limit = {.name = CostedPhaseName(phase.name, has_vision),
                              .roofline_slowdown = *phase.roofline_slowdown,
                              .roofline = phase.bounds.bound,
                              .used = is_memory ? phase.used.mbu : phase.used.mfu_useful};
    text += fmt::format("- {} on {}.\n", Escaped(LimitText(limit)),
                        Escaped(report.efficiency->device));
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
  if (std::ssize(metrics.samples) < analysis::kMinForTrustedInterval) {
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
  std::string text = fmt::format(
      "# Summary of stage torch_profiler: {} on {}\n\n"
      "Of this stage only; the run: "
      "[stakeholder_summary.md](../stakeholder_summary.md).\n\n",
      Escaped(metrics.model), Escaped(metrics.device));
  text += Headline(metrics);
  text += PhasesSection(metrics);
  text += LimitSection(report);
  if (report.profile) text += OperatorsSection(*report.profile);
  text += TrustSection(report);
  return text;
}

}  // namespace ridgeline::report
