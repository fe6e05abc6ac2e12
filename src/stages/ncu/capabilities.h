// Capabilities of the installed ncu: flags, sets, sections, replay modes and metrics
// differ between versions.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "pipeline/tool_answers.h"

namespace ridgeline::stages {

// An empty set means that nothing could be learned, and everything counts as known.
struct NcuFacts {
  using Names = std::set<std::string, std::less<>>;

  std::string version;     // "2022.3.0.0"; empty: unknown.
  std::string unanswered;  // Why the query failed; empty: it did not.
  Names flags;             // "--nvtx-include"
  Names replay_modes;      // "kernel", "range"
  Names filter_modes;      // "global", "per-launch-config"
  Names sets;
  // Number of metrics by set, as estimated by ncu.
  std::map<std::string, int64_t, std::less<>> set_metrics;
  Names sections;
  Names metrics;  // Up to the first dot: "sm__throughput".

  static bool Knows(const Names& names, std::string_view name) {
    return names.empty() || names.find(name) != names.end();
  }
  // Also true for names that are not hardware counters: launch__*, group:*, ...
  bool KnowsMetric(std::string_view metric) const;
  // Approximate number of replays of a launch for a set and these sections and metrics.
  // GPUs differ; since Ampere a pass collects about six metrics.
  int64_t EstimatedPasses(std::string_view set, size_t own_sections,
                          size_t own_metrics) const;
  // "ncu 2022.3.0.0", or "this ncu"
  std::string Name() const;
};

// Output of `ncu` for each of these flags.
struct NcuAnswers {
  std::string version;
  std::string help;
  std::string sets;
  std::string sections;
  std::string metrics;  // --query-metrics
};

NcuFacts ParseNcuFacts(const NcuAnswers& answers);

// Answers to failed queries stay empty. Metrics take seconds and are queried only if
// `with_metrics`: those of the local GPUs, or else of a chip that every version knows.
NcuFacts AskNcu(pipeline::ToolAnswers& tools, bool with_metrics);

}  // namespace ridgeline::stages
