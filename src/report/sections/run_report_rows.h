// The parts of the report's JSON that are rows of the store, the longest first.
#pragma once

#include <nlohmann/json.hpp>

#include "results/result_store.h"

namespace ridgeline::report {

nlohmann::ordered_json PhasesJson(const results::ResultStore& store);
nlohmann::ordered_json RegionsJson(const results::ResultStore& store);
nlohmann::ordered_json KernelsJson(const results::ResultStore& store);
nlohmann::ordered_json KernelsInAllJson(const results::ResultStore& store);
nlohmann::ordered_json OperatorsJson(const results::ResultStore& store);
nlohmann::ordered_json OperatorsInAllJson(const results::ResultStore& store);
nlohmann::ordered_json DevicesJson(const results::ResultStore& store);
nlohmann::ordered_json MemoryOpsJson(const results::ResultStore& store);
nlohmann::ordered_json ApisJson(const results::ResultStore& store);
nlohmann::ordered_json LaunchDelaysJson(const results::ResultStore& store);
nlohmann::ordered_json LeftOutJson(const results::ResultStore& store);

}  // namespace ridgeline::report
