#include <map>
#include <tuple>

#include "analysis/statistics.h"
#include "report/sections/parts.h"
#include "report/sections/phase_rows.h"
#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

using results::PhaseSample;

PhaseRow PhaseOf(const results::ResultStore& store,
                 const std::vector<const PhaseSample*>& samples) {
  std::vector<double> seconds;
  double total_s = 0;
  std::optional<int64_t> tokens;
  for (const PhaseSample* sample : samples) {
    seconds.push_back(Seconds(sample->duration_ns));
    total_s += seconds.back();
    if (sample->tokens) tokens = tokens.value_or(0) + *sample->tokens;
  }
  const PhaseSample& first = *samples.front();
  const analysis::Summary summary = analysis::Summarize(seconds);
  PhaseRow phase = {.source = FileOf(store, first.source),
                    .profiled = first.pass == PhaseSample::Pass::kProfiled,
                    .phase = first.phase,
                    .samples = static_cast<int64_t>(seconds.size()),
                    .total_s = total_s,
                    .mean_s = summary.mean,
                    .median_s = summary.median,
                    .min_s = summary.min,
                    .max_s = summary.max,
                    .mean_ci95_s = {},
                    .tokens_per_s = {}};
  if (summary.mean_interval && phase.samples >= analysis::kMinForTrustedInterval) {
    phase.mean_ci95_s = {summary.mean_interval->low, summary.mean_interval->high};
  }
  if (tokens.value_or(0) > 0)
    phase.tokens_per_s = ShareOf(static_cast<double>(*tokens), total_s);
  return phase;
}

}  // namespace

std::vector<PhaseRow> MakePhases(const results::ResultStore& store) {
  using Key = std::tuple<results::SourceId, PhaseSample::Pass, std::string>;
  std::vector<Key> order;
  std::map<Key, std::vector<const PhaseSample*>> groups;
  for (const PhaseSample& sample : store.phase_samples) {
    const Key key = {sample.source, sample.pass, sample.phase};
    if (!groups.contains(key)) order.push_back(key);
    groups[key].push_back(&sample);
  }
  std::vector<PhaseRow> phases;
  for (const Key& key : order) phases.push_back(PhaseOf(store, groups[key]));
  return phases;
}

IfThere<ProfilingOverheadRow> MakeProfilingOverhead(const RunFacts& facts) {
  if (!facts.profiled_pass || !(facts.profiled_pass->unprofiled_s > 0)) return {};
  const ProfiledPass& pass = *facts.profiled_pass;
  return ProfilingOverheadRow{
      .source = pass.source,
      .factor = pass.profiled_s / pass.unprofiled_s,
      .profiled_s = pass.profiled_s,
      .unprofiled_s = pass.unprofiled_s,
      .events = pass.events > 0 ? OptionalInteger(pass.events) : std::nullopt};
}

std::vector<TokenLatencyRow> MakeTokenLatency(const results::ResultStore& store) {
  constexpr double kSecond = 1e-9;
  std::vector<TokenLatencyRow> rows;
  for (const results::TokenLatency& latency : store.token_latencies) {
    TokenLatencyRow row = {.source = FileOf(store, latency.source),
                           .measure = latency.measure,
                           .count = latency.count,
                           .mean_s = latency.mean_ns * kSecond,
                           .mean_ci95_s = {},
                           .median_s = latency.median_ns * kSecond,
                           .p90_s = latency.p90_ns * kSecond,
                           .p99_s = latency.p99_ns * kSecond,
                           .min_s = latency.min_ns * kSecond,
                           .max_s = latency.max_ns * kSecond};
    if (latency.mean_low_ns && latency.mean_high_ns &&
        latency.count >= analysis::kMinForTrustedInterval) {
      row.mean_ci95_s = {*latency.mean_low_ns * kSecond, *latency.mean_high_ns * kSecond};
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace ridgeline::report
