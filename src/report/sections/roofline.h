// The parts of the report's JSON that hold measurements against what they could be: the
// FLOP ledger, rooflines, memory, counters of ncu.
#pragma once

#include <nlohmann/json.hpp>

#include "report/run_facts.h"

namespace ridgeline::report {

nlohmann::ordered_json LedgerJson(const RunFacts& facts);  // Null: nothing to compare.
nlohmann::ordered_json RooflineJson(const RunFacts& facts);
nlohmann::ordered_json MemoryJson(const RunFacts& facts);
nlohmann::ordered_json NcuJson(const RunFacts& facts);

}  // namespace ridgeline::report
