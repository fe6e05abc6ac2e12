#include <fmt/format.h>

#include "report/advice/rules.h"
#include "report/printers/markdown.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

// Share of the machine's memory; the rest is needed for the page cache with the weights.
constexpr double kNearlyFull = 0.85;

const ActivationPeakRow* LargestActivations(const MemoryRow& memory) {
  const ActivationPeakRow* largest = nullptr;
  for (const ActivationPeakRow& peak : memory.activation_peaks) {
    if (peak.bytes.value_or(0) <= (largest == nullptr ? 0 : *largest->bytes)) continue;
    largest = &peak;
  }
  return largest;
}

}  // namespace

std::vector<Advice> MemoryNearlyFull(const Document& document) {
  const MemoryRow& memory = document.memory;
  const auto machine = static_cast<double>(memory.host_memory_bytes.value_or(0));
  for (const PeakRssRow& peak : memory.peak_rss) {
    const auto bytes = static_cast<double>(peak.bytes);
    if (!(machine > 0) || bytes < kNearlyFull * machine) continue;
    Advice advice = {
        .verdict =
            fmt::format("{}: peak RSS {} of {} total, swapping is likely",
                        Quoted(peak.source), SignedBytes(bytes), SignedBytes(machine)),
        .action =
            "Measure again with fewer other processes, a smaller dtype for the "
            "weights or fewer generated tokens",
        .evidence = {Cite(memory.peak_rss, peak, &PeakRssRow::bytes),
                     Cite(memory, &MemoryRow::host_memory_bytes)}};
    if (const ActivationPeakRow* phase = LargestActivations(memory)) {
      advice.action += fmt::format("; activations of {} take {}", phase->phase,
                                   SignedBytes(static_cast<double>(*phase->bytes)));
      advice.evidence.push_back(
          Cite(memory.activation_peaks, *phase, &ActivationPeakRow::bytes));
    }
    return {advice};
  }
  return {};
}

}  // namespace ridgeline::report
