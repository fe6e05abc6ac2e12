#pragma once

#include <nlohmann/json.hpp>

namespace ridgeline::serve {

// The few numbers of a run's metrics.json that a list of runs shows:
//   "phases": {"page"|"prefill"|"decode": null or {source, mean_s, mean_ci95_s,
//              tokens_per_s}}, "kernel" and "operator": null or {name, time_s, share}.
// Phases are those that no profiler slowed down, of direct_inference if it measured them.
// Whatever is missing, or of another type than it should be, is null.
nlohmann::ordered_json HeadlinesOf(const nlohmann::json& metrics);

}  // namespace ridgeline::serve
