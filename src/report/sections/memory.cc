#include <algorithm>

#include "report/sections/memory_rows.h"
#include "report/sections/parts.h"
#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

constexpr size_t kMaxOperators = 50;

std::vector<PeakRssRow> PeaksOf(const artifacts::Manifest& manifest) {
  std::vector<PeakRssRow> peaks;
  for (const artifacts::StageRecord& stage : manifest.stages) {
    for (const artifacts::ProcessRecord& process : stage.processes) {
      if (process.peak_rss_bytes <= 0) continue;
      peaks.push_back(
          {stage.name + ": " + CutText(process.purpose), process.peak_rss_bytes});
    }
  }
  return peaks;
}

std::vector<OperatorMemoryRow> LargestOperators(const RunFacts& facts) {
  const auto bytes = [](const OperatorMemory& op) { return op.self_bytes; };
  std::vector<OperatorMemoryRow> rows;
  for (const OperatorMemory* op :
       ByTimeDescending(facts.operator_memory, kMaxOperators, bytes)) {
    if (op->self_bytes > 0) rows.push_back({CutText(op->name), op->self_bytes});
  }
  return rows;
}

}  // namespace

MemoryRow MakeMemory(const RunFacts& facts) {
  MemoryRow memory = {.parameters = facts.static_memory.parameters,
                      .weights_read_bytes = facts.static_memory.weights_read_bytes,
                      .kv_cache_bytes = facts.static_memory.kv_cache_bytes,
                      .activation_peaks = {},
                      .peak_rss = {},
                      .host_memory_bytes = facts.machine_memory_bytes,
                      .operators = LargestOperators(facts)};
  for (const auto& [phase, bytes] : facts.static_memory.activation_peaks) {
    memory.activation_peaks.push_back({phase, bytes});
  }
  if (facts.manifest) memory.peak_rss = PeaksOf(*facts.manifest);
  return memory;
}

}  // namespace ridgeline::report
