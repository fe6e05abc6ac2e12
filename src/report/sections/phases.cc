#include "report/sections/phases.h"

#include <fmt/format.h>

#include <string_view>

#include "estimates/efficiency.h"
#include "estimates/scaled.h"
#include "report/printers/markdown.h"
#include "report/sections/operators.h"

namespace ridgeline::report {
namespace {

constexpr size_t kReportedOperators = 15;
constexpr size_t kTopModules = 10;

// "12.3 ms", or of a rate "45.6".
std::string Value(const MeasuredQuantity& quantity, double value) {
  if (quantity.name.ends_with("_per_s")) return estimates::Ratio(value);
  return estimates::Seconds(value);
}

// "decode", "decode tokens/s".
std::string Title(std::string_view name) {
  if (name == "decode_tokens_per_s") return "decode tokens/s";
  return std::string(name.substr(0, name.size() - (name.ends_with("_s") ? 2 : 0)));
}

std::vector<std::string> QuantityCells(const MeasuredQuantity& quantity) {
  const analysis::Summary& summary = quantity.summary;
  const auto value = [&quantity](double v) { return Value(quantity, v); };
  std::string interval = "too few";
  if (summary.mean_interval) {
    interval = fmt::format("{} .. {}", value(summary.mean_interval->low),
                           value(summary.mean_interval->high));
  }
  return {Title(quantity.name),
          fmt::format("{}", summary.count),
          value(summary.mean),
          interval,
          summary.deviation ? value(*summary.deviation) : "-",
          value(summary.median),
          value(summary.p90),
          value(summary.p99),
          value(summary.min),
          value(summary.max)};
}

std::string TimesSection(const ModelMetrics& metrics) {
  std::string text = fmt::format(
      "## Times without a profiler\n\n{} of {}, {} each after {}; {} in all. The device "
      "is idle at both ends of each. prefill holds vision, and vision holds sam, clip "
      "and "
      "projector.\n\n",
      Plural(metrics.samples, "sample"), Plural(metrics.pages, "page"),
      Plural(metrics.repeats, "time"), Plural(metrics.warmup_rounds, "warm-up round"),
      Plural(metrics.generated_tokens, "token"));
  std::vector<std::vector<std::string>> rows;
  for (const MeasuredQuantity& quantity : metrics.quantities) {
    rows.push_back(QuantityCells(quantity));
  }
  text += Table({{"phase", Align::kLeft},
                 {"n"},
                 {"mean"},
                 {"mean, 95 % interval"},
                 {"std"},
                 {"median"},
                 {"p90"},
                 {"p99"},
                 {"min"},
                 {"max"}},
                rows);
  text +=
      "\nstd is that of the sample (n - 1); quantiles are interpolated; the interval "
      "comes from 2,000 resamples of the samples, over pages and repetitions alike.\n";
  for (const std::string& warning : DriftWarnings(metrics)) {
    text += "\n**Warning:** " + warning + "\n";
  }
  return text;
}

std::string EfficiencySection(const ProfileReport& report) {
  std::string text = "\n## Utilisation\n\n";
  if (!report.efficiency) return text + Escaped(report.why_no_efficiency) + "\n";
  return text + Escaped(report.efficiency->device) + ", " +
         estimates::EfficiencyTable(*report.efficiency);
}

std::string OperatorsSection(const ProfileReport& report) {
  std::string text = "\n## Where the time goes\n\n";
  if (!report.profile) {
    return text +
           "Nothing was recorded: pipeline.torch_profiler.enabled is false, or "
           "pipeline.torch_profiler.activities names nothing that is here.\n";
  }
  const profiles::Profile& profile = *report.profile;
  text += fmt::format(
      "One pass over {} under the recorder, {}; its times are in no table above.\n\n",
      Escaped(profile.image), Plural(profile.generated_tokens, "token"));
  text += OperatorTableMarkdown(profile, kReportedOperators);
  text += fmt::format("\nThe first {} of {}; operators.md has all.\n\n",
                      std::min(kReportedOperators, profile.operators.size()),
                      Plural(static_cast<int64_t>(profile.operators.size()), "row"));
  text += ModuleTableMarkdown(profile, kTopModules);
  text += "\n### What recording cost\n\n" + CostSentence(profile) + "\n";
  for (const std::string& note : profile.notes) text += "\n- " + Escaped(note) + "\n";
  return text;
}

}  // namespace

std::vector<std::string> DriftWarnings(const ModelMetrics& metrics) {
  std::vector<std::string> warnings;
  for (const MeasuredQuantity& quantity : metrics.quantities) {
    if (!quantity.drift) continue;
    warnings.push_back(fmt::format(
        "{} changed by {:+.1f} % from the first to the last sample (Mann-Kendall z = "
        "{:.1f}): its mean is that of no one state. More warm-up, fewer neighbours or "
        "a fixed clock help.",
        Title(quantity.name), 100 * quantity.drift->change, quantity.drift->z));
  }
  return warnings;
}

std::string ReportMarkdown(const ProfileReport& report) {
  const ModelMetrics& metrics = report.metrics;
  std::string text =
      fmt::format("# {} on {}\n\n", Escaped(metrics.model), Escaped(metrics.device));
  text += TimesSection(metrics);
  text += fmt::format("\nPeak memory of the process: {}.\n",
                      SignedBytes(static_cast<double>(metrics.peak_rss_bytes)));
  text += EfficiencySection(report);
  text += OperatorsSection(report);
  text +=
      "\n## Files\n\n"
      "- `metrics.json`: every sample, and these statistics\n";
  if (report.profile) {
    text +=
        "- `operators.md`, `profile.json`: every operator and module\n"
        "- `trace.json.gz`: every event; opens in ui.perfetto.dev and chrome://tracing\n";
  }
  return text;
}

}  // namespace ridgeline::report
