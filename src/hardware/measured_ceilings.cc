#include "hardware/measured_ceilings.h"

#include <algorithm>

namespace ridgeline::hardware {
namespace {

std::string TextOf(const MeasuredPeaks& measured, const std::string& what, int rounds) {
  return what + ", " + std::to_string(measured.threads) + " threads, best of " +
         std::to_string(rounds) + " rounds";
}

MeasuredBandwidth BestOf(const MeasuredPeaks& measured) {
  const Rate& read = measured.read_bytes;
  const Rate& copy = measured.copy_bytes;
  const Rate& triad = measured.triad_bytes;
  if (read.best_per_s >= copy.best_per_s && read.best_per_s >= triad.best_per_s) {
    return {read.best_per_s, TextOf(measured, "read", read.rounds)};
  }
  if (copy.best_per_s >= triad.best_per_s) {
    return {copy.best_per_s, TextOf(measured, "copy", copy.rounds)};
  }
  return {triad.best_per_s, TextOf(measured, "triad", triad.rounds)};
}

}  // namespace

const MeasuredPeak* MeasuredCeilings::PeakOf(Arithmetic arithmetic) const {
  const auto found = std::find_if(
      peaks.begin(), peaks.end(),
      [arithmetic](const MeasuredPeak& peak) { return peak.arithmetic == arithmetic; });
  return found == peaks.end() ? nullptr : &*found;
}

MeasuredCeilings CeilingsOf(const MeasuredPeaks& measured) {
  MeasuredCeilings ceilings;
  ceilings.peaks.push_back(
      {.arithmetic = Arithmetic::kFp32,
       .flops_per_s = measured.fma_flops.best_per_s,
       .text = TextOf(measured, measured.instructions, measured.fma_flops.rounds)});
  ceilings.why_no_peak = "only fp32 is measured on the CPU";
  if (measured.exceeds_cache) ceilings.memory = BestOf(measured);
  ceilings.why_no_memory = "not enough free memory for a buffer larger than the caches";
  return ceilings;
}

}  // namespace ridgeline::hardware
