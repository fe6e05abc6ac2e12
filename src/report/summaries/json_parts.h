// What the JSON of different profiles has in common.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/launch_delay.h"
#include "analysis/statistics.h"
#include "base/json.h"
#include "results/import_counter.h"
#include "results/rows.h"

namespace ridgeline::summaries {

double ShareOf(int64_t part, int64_t whole);  // 0 of nothing.
nlohmann::ordered_json StatsJson(const std::optional<analysis::DurationStats>& stats);
nlohmann::ordered_json DeviceTimeJson(const results::DeviceTime& time);
nlohmann::ordered_json LaunchJson(const analysis::LaunchDelays& launch);
nlohmann::ordered_json LeftOutJson(const results::ImportCounts& left_out);

}  // namespace ridgeline::summaries
