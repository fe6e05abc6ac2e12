#include "hardware/measured_ceilings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"

namespace ridgeline::hardware {
namespace {

// Rounds on an idle machine differ by less.
constexpr double kSpreadOfBusyMachine = 1.3;

std::string TextOf(const MeasuredPeaks& measured, const std::string& what,
                   const Rate& rate) {
  std::string text =
      fmt::format("{}, {}, best of {}", what, Plural(measured.threads, "thread"),
                  Plural(rate.rounds, "round"));
  if (rate.best_per_s > kSpreadOfBusyMachine * rate.worst_per_s && rate.worst_per_s > 0) {
    text += fmt::format(
        "; the slowest was {:.1f}x slower, so other programs were running and the peak "
        "may be too low",
        rate.best_per_s / rate.worst_per_s);
  }
  return text;
}

std::optional<double> RoundsRatio(const Rate& rate) {
  if (!(rate.worst_per_s > 0)) return std::nullopt;
  return rate.best_per_s / rate.worst_per_s;
}

MeasuredBandwidth BestOf(const MeasuredPeaks& measured) {
  const Rate& read = measured.read_bytes;
  const Rate& copy = measured.copy_bytes;
  const Rate& triad = measured.triad_bytes;
  if (read.best_per_s >= copy.best_per_s && read.best_per_s >= triad.best_per_s) {
    return {read.best_per_s, TextOf(measured, "read", read), RoundsRatio(read)};
  }
  if (copy.best_per_s >= triad.best_per_s) {
    return {copy.best_per_s, TextOf(measured, "copy", copy), RoundsRatio(copy)};
  }
  return {triad.best_per_s, TextOf(measured, "triad", triad), RoundsRatio(triad)};
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
       .text = TextOf(measured, measured.instructions, measured.fma_flops),
       .rounds_ratio = RoundsRatio(measured.fma_flops)});
  ceilings.why_no_peak = "only fp32 is measured on the CPU";
  if (measured.exceeds_cache) ceilings.memory = BestOf(measured);
  ceilings.why_no_memory = "not enough free memory for a buffer larger than the caches";
  return ceilings;
}

}  // namespace ridgeline::hardware
