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

// Of each kind: empty means that nothing could be learnt, and everything is taken for
// known.
struct NcuFacts {
  using Names = std::set<std::string, std::less<>>;

  std::string version;     // "2022.3.0.0"; empty: unknown.
  std::string unanswered;  // Why it could not be queried; empty: it was.
  Names flags;             // "--nvtx-include"
  Names replay_modes;      // "kernel", "range"
  Names filter_modes;      // "global", "per-launch-config"
  Names sets;
  // Of each set, how many metrics ncu estimates.
  std::map<std::string, int64_t, std::less<>> set_metrics;
  Names sections;
  Names metrics;  // Without what follows the first dot: "sm__throughput".

  static bool Knows(const Names& names, std::string_view name) {
    return names.empty() || names.find(name) != names.end();
  }
  // Also true for names that are not hardware counters: launch__*, group:*, ...
  bool KnowsMetric(std::string_view metric) const;
  // About how often a launch is replayed for a set and these sections and metrics. GPUs
  // differ; on those since Ampere a pass collects about six.
  int64_t EstimatedPasses(std::string_view set, size_t own_sections,
                          size_t own_metrics) const;
  // "ncu 2022.3.0.0", or "this ncu".
  std::string Name() const;
};

// What `ncu` prints with each of these flags.
struct NcuAnswers {
  std::string version;
  std::string help;
  std::string sets;
  std::string sections;
  std::string metrics;  // --query-metrics
};

NcuFacts ParseNcuFacts(const NcuAnswers& answers);

// What cannot be queried stays empty. Metrics take seconds and are queried only if
// `with_metrics`: those of the GPUs that are here, or else of a chip that every version
// knows.
NcuFacts AskNcu(pipeline::ToolAnswers& tools, bool with_metrics);

}  // namespace ridgeline::stages
