// Findings in the form of recorded answers of others.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/statistics.h"

namespace ridgeline::reference {

using Json = nlohmann::ordered_json;

// Count, total, mean, median, min and max of durations; null for none.
Json Stats(const std::optional<analysis::DurationStats>& stats);

// Of nothing: 0.
double Ratio(int64_t part, int64_t whole);
double Percent(int64_t part, int64_t whole);

}  // namespace ridgeline::reference
