// The parts of metrics.json that sections make.
#pragma once

#include <nlohmann/json.hpp>

#include "report/run_facts.h"
#include "results/result_store.h"

namespace ridgeline::report {

// The parts of the report's JSON that are rows of the store, the longest first.
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

// What kinds of work kernels did: the list `kernel_kinds` of metrics.json.

// One row per source and kind, in the order of the sources, the longest kind first.
// Shares are of all kernels of the source; null where they took no time.
nlohmann::ordered_json KernelKindsJson(const results::ResultStore& store);

// The parts of the report's JSON that hold measurements against what they could be: the
// FLOP ledger, rooflines, memory, counters of ncu.
nlohmann::ordered_json LedgerJson(const RunFacts& facts);  // Null: nothing to compare.
nlohmann::ordered_json RooflineJson(const RunFacts& facts);
nlohmann::ordered_json MemoryJson(const RunFacts& facts);
nlohmann::ordered_json NcuJson(const RunFacts& facts);

}  // namespace ridgeline::report
