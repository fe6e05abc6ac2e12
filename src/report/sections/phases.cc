#include "report/sections/phases.h"

#include <fmt/format.h>

#include <string_view>

#include "analysis/statistics.h"
#include "base/plural.h"
#include "base/units.h"
#include "report/printers/efficiency.h"
#include "report/printers/markdown.h"
#include "report/sections/operators.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

using profiles::MeasuredQuantity;
using profiles::ModelMetrics;

constexpr size_t kReportedOperators = 15;
constexpr size_t kTopModules = 10;

// "decode", "prefill (incl. vision)"
std::string Title(const ModelMetrics& metrics, std::string_view name) {
  const std::string_view phase =
      name.substr(0, name.size() - (name.ends_with("_s") ? 2 : 0));
  return TimedPhaseName(phase, Find(metrics, "vision_s") != nullptr);
}

// Per-sample rates in files of earlier versions are not shown: throughput is computed
// over all samples.
bool IsTime(const MeasuredQuantity& quantity) {
  return !quantity.name.ends_with("_per_s");
}

std::vector<std::string> QuantityCells(const ModelMetrics& metrics,
                                       const MeasuredQuantity& quantity) {
  const results::Summary& summary = quantity.summary;
  const auto value = [](double seconds) { return units::Seconds(seconds); };
  std::string interval = "n too small";
  if (summary.mean_interval &&
      static_cast<int64_t>(summary.count) >= analysis::kMinForTrustedInterval) {
    interval = fmt::format("{} to {}", value(summary.mean_interval->low),
                           value(summary.mean_interval->high));
  }
  return {Title(metrics, quantity.name),
          WithCommas(summary.count),
          value(summary.mean),
          interval,
          summary.deviation ? value(*summary.deviation) : "-",
          value(summary.median),
          value(summary.p90),
          value(summary.p99),
          value(summary.min),
          value(summary.max)};
}

std::string WhatWasTimed(const ModelMetrics& metrics) {
  if (metrics.unit == profiles::kPageUnit) {
    return fmt::format(
        "Per page; n={}: {} x {} after {}, {} generated in total. The device is "
        "synchronized before and after each phase. Vision includes sam, clip and "
        "projector.",
        metrics.samples.size(), Plural(metrics.pages(), "page"),
        Plural(metrics.repeats, "repeat"), Plural(metrics.warmup_rounds, "warm-up round"),
        Plural(metrics.generated_tokens(), "token"));
  }
  std::string text =
      fmt::format("Per call of `{}`; n={} after {}", metrics.model,
                  metrics.samples.size(), Plural(metrics.warmup_rounds, "warm-up call"));
  if (metrics.generated_tokens() > 0) {
    text += fmt::format(", {} generated in total",
                        Plural(metrics.generated_tokens(), "token"));
  }
  text += ".";
  if (metrics.device.starts_with("cuda")) {
    text += " CUDA is synchronized before and after each call.";
  }
  if (Find(metrics, "ttft_s") != nullptr) {
    text += " ttft: time to first token; itl: inter-token latency.";
  }
  return text;
}

std::string TimesSection(const ModelMetrics& metrics) {
  std::string text = "## Unprofiled times\n\n" + WhatWasTimed(metrics) + "\n\n";
  std::vector<std::vector<std::string>> rows;
  for (const MeasuredQuantity& quantity : metrics.statistics) {
    if (IsTime(quantity)) rows.push_back(QuantityCells(metrics, quantity));
  }
  text += Table({{"Phase", Align::kLeft},
                 {"n"},
                 {"Mean"},
                 {"95 % CI"},
                 {"Stddev"},
                 {"Median"},
                 {"p90"},
                 {"p99"},
                 {"Min"},
                 {"Max"}},
                rows);
  text +=
      "\nStddev is the sample standard deviation (n - 1); percentiles are interpolated; "
      "the CI is a bootstrap of the mean with 2,000 resamples over samples.\n";
  if (const std::optional<double> speed = metrics.decode_tokens_per_s()) {
    text += fmt::format(
        "\nDecode throughput: {} tokens/s (decode steps of all {} over their total "
        "decode time).\n",
        Ratio(*speed), Samples(static_cast<int64_t>(metrics.samples.size())));
  }
  for (const std::string& warning : DriftWarnings(metrics)) {
    text += "\n**Warning:** " + warning + "\n";
  }
  return text;
}

std::string CallUtilizationTable(const profiles::CallUtilization& calls) {
  std::string text = fmt::format(
      "{}. FLOPs of the profiled call, over the unprofiled time of the same call. Peak "
      "FLOP/s: {}.\n\n",
      Escaped(calls.device), units::Flops(calls.peak_flops_per_s));
  std::vector<std::vector<std::string>> rows;
  for (const profiles::CallUtilization::Phase& phase : calls.phases) {
    const double per_s = static_cast<double>(phase.flops) / phase.seconds;
    std::optional<double> mfu;
    if (calls.peak_flops_per_s) mfu = per_s / *calls.peak_flops_per_s;
    rows.push_back({phase.name, units::Seconds(phase.seconds),
                    units::Flops(Count(static_cast<uint64_t>(phase.flops))),
                    units::Flops(std::optional(per_s)), units::Percent(mfu)});
  }
  return text + Table({{"Phase", Align::kLeft},
                       {"Unprofiled time"},
                       {"FLOPs"},
                       {"FLOP/s"},
                       {"MFU"}},
                      rows);
}

std::string EfficiencySection(const ProfileReport& report) {
  std::string text = "\n## Utilization\n\n";
  if (report.metrics.utilization) {
    return text + CallUtilizationTable(*report.metrics.utilization);
  }
  if (!report.efficiency) return text + Escaped(report.why_no_efficiency) + "\n";
  return text + Escaped(report.efficiency->device) + ". " +
         EfficiencyTable(*report.efficiency);
}

std::string OperatorsSection(const ProfileReport& report) {
  std::string text = "\n## Operators\n\n";
  if (!report.profile) {
    return text +
           "Not measured: pipeline.torch_profiler.enabled is false, or "
           "pipeline.torch_profiler.activities has no activity of this machine.\n";
  }
  const profiles::OperatorProfile& profile = *report.profile;
  text += ProfiledPassSentence(profile) + ", profiled; not part of the times above.\n\n";
  text += OperatorTableMarkdown(profile, kReportedOperators);
  text += fmt::format("\nTop {} of {}; operators.md has all.\n\n",
                      std::min(kReportedOperators, profile.operators.size()),
                      Plural(profile.operators.size(), "row"));
  if (!profile.modules.empty()) {
    text += "### By module\n\n" + ModuleTableMarkdown(profile, kTopModules);
  }
  text += "\n### Profiling overhead\n\n" + CostSentence(profile) + "\n";
  for (const std::string& note : profile.notes) text += "\n- " + Escaped(note) + "\n";
  return text;
}

}  // namespace

std::vector<std::string> DriftWarnings(const ModelMetrics& metrics) {
  std::vector<std::string> warnings;
  for (const MeasuredQuantity& quantity : metrics.statistics) {
    if (!quantity.drift || !IsTime(quantity)) continue;
    warnings.push_back(fmt::format(
        "{} drifted by {:+.1f} % from the first to the last sample (Mann-Kendall z = "
        "{:.1f}). Add warm-up rounds, stop other processes or fix the clock rate.",
        Title(metrics, quantity.name), 100 * quantity.drift->change, quantity.drift->z));
  }
  return warnings;
}

std::string ReportMarkdown(const ProfileReport& report) {
  const ModelMetrics& metrics = report.metrics;
  std::string text =
      fmt::format("# {} on {}\n\n", Escaped(metrics.model), Escaped(metrics.device));
  text += TimesSection(metrics);
  text += fmt::format("\nPeak RSS: {}.\n",
                      SignedBytes(static_cast<double>(metrics.peak_rss_bytes)));
  text += EfficiencySection(report);
  text += OperatorsSection(report);
  text +=
      "\n## Files\n\n"
      "- `metrics.json`: every sample, and these statistics\n";
  if (report.profile) {
    text +=
        "- `operators.md`, `operator_profile.json`: every operator and module\n"
        "- `trace.json.gz`: every event; opens in ui.perfetto.dev and chrome://tracing\n";
  }
  return text;
}

}  // namespace ridgeline::report
