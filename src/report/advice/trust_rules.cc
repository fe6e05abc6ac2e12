#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/plural.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"
#include "report/sections/incomplete_stages.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

using artifacts::State;

// Half-width of a 95 % CI relative to the mean. A 10 % change, which is a good one, is
// visible at 5 % but not at 10 %.
constexpr double kWideShare = 0.10;
constexpr double kWantedShare = 0.05;

// Means of the same phase in two stages that differ by more than this, and by more than
// their confidence intervals, were not measured under the same conditions.
constexpr double kMuchDisagreement = 0.10;

// Two samples say nothing about their spread.
constexpr int64_t kMinForRange = 3;

// The cause comes last in a reason, often after a path.
constexpr size_t kMaxReason = 400;

// Profiling overhead above which profiled times are distorted.
constexpr double kSlowedDown = 1.2;

// A profiled pass this much longer than the slowest unprofiled one is no longer explained
// by the profiler: its operators waited for something else.
constexpr double kDisturbed = 3;

// A profiler adds less than this per event; other load adds more.
constexpr double kProfilerPerEventS = 20e-6;

// Rounds of a measured peak on an idle machine differ by less.
constexpr double kUnderLoad = 1.3;

// Phases below this share of the longest one appear only in the tables.
constexpr double kWorthTelling = 0.1;

// An interval this wide has a cause other than too few samples.
constexpr double kNoisyShare = 0.25;

constexpr size_t kMaxOverride = 200;

// " skipped (no GPU)"
std::string EndOf(const StageRow& stage) {
  std::string text = fmt::format(" {}", ToText(stage.state));
  if (stage.reason) text += fmt::format(" ({})", Shortened(*stage.reason, kMaxReason));
  return text;
}

// The switch that a reason names, or a workload that the stage is not for, needs no fix.
bool NamesTheFix(const std::string& reason) {
  return reason.find("pipeline.") != reason.npos || reason.find('=') != reason.npos ||
         reason.starts_with("needs PyTorch");
}

// "'a' failed (why); 'b', 'c' skipped (no GPU)"
std::string Ends(const std::vector<const StageRow*>& stages) {
  std::string text;
  for (size_t i = 0; i < stages.size(); ++i) {
    const std::string end = EndOf(*stages[i]);
    const bool is_last = i + 1 == stages.size();
    text += Quoted(stages[i]->name);
    if (is_last) {
      text += end;
    } else {
      text += end == EndOf(*stages[i + 1]) ? ", " : end + "; ";
    }
  }
  return text;
}

// "'a', 'b'"
std::string NamesOf(const std::vector<const StageRow*>& stages) {
  std::string names;
  for (const StageRow* stage : stages) {
    names += (names.empty() ? "" : ", ") + Quoted(stage->name);
  }
  return names;
}

// One sentence per kind of fix.
std::string FixesFor(const std::vector<const StageRow*>& stages) {
  std::vector<std::string> fixes;
  std::vector<const StageRow*> skipped, broken;
  std::string switches;  // Of stages whose reason is enough.
  for (const StageRow* stage : stages) {
    if (stage->retry_overrides) {
      fixes.push_back("Run again with " +
                      Shortened(*stage->retry_overrides, kMaxOverride));
    } else if (stage->state != State::kSkipped) {
      broken.push_back(stage);
    } else if (NamesTheFix(stage->reason.value_or(""))) {
      switches +=
          fmt::format(" pipeline.{}.enable=false", Shortened(stage->name, kMaxName));
    } else {
      skipped.push_back(stage);
    }
  }
  if (!broken.empty()) {
    fixes.push_back(
        fmt::format("Read the log of {}, then continue with 'ridgeline run --resume DIR'",
                    NamesOf(broken)));
  }
  if (!skipped.empty()) {
    fixes.push_back(fmt::format("Run 'ridgeline doctor' to see what {} {}",
                                NamesOf(skipped),
                                skipped.size() == 1 ? "needs" : "need"));
  }
  if (fixes.empty()) fixes.push_back("If that is intended, disable:" + switches);
  std::string text;
  for (const std::string& fix : fixes) text += (text.empty() ? "" : ". ") + fix;
  return text;
}

// "run.repeats" in the configuration, as a number; null: not configured.
const ConfigRow* ConfiguredRepeats(const Document& document, int& repeats) {
  for (const ConfigRow& entry : document.config) {
    if (entry.key != "run.repeats") continue;
    const char* const last = entry.value.data() + entry.value.size();
    const auto [end, error] = std::from_chars(entry.value.data(), last, repeats);
    if (error == std::errc() && end == last && repeats >= 1) return &entry;
  }
  return nullptr;
}

// Half-width of the interval relative to the mean; nullopt: profiled, or no interval.
OptionalNumber SpreadOf(const PhaseRow& phase) {
  if (phase.profiled || !phase.mean_ci95_s || !(phase.mean_s > 0)) return {};
  const auto& [low, high] = *phase.mean_ci95_s;
  return (high - low) / 2 / phase.mean_s;
}

// Of the unprofiled phases with the same unit: a run takes longer than its calls.
double LongestMean(const Document& document, const PhaseRow& like) {
  double longest_s = 0;
  for (const PhaseRow& phase : document.phases) {
    if (phase.profiled || phase.is_of_run() != like.is_of_run()) continue;
    longest_s = std::max(longest_s, phase.mean_s);
  }
  return longest_s;
}

// Whether the source also has times of whole samples: those matter, and parts that take a
// few milliseconds are mostly noise.
bool IsPartOfWhole(const Document& document, const PhaseRow& part) {
  const std::string_view whole = part.is_of_run() ? "wall" : "end_to_end";
  if (part.phase == whole) return false;
  return std::any_of(document.phases.begin(), document.phases.end(),
                     [&part, whole](const PhaseRow& row) {
                       return row.profiled == part.profiled &&
                              row.source == part.source && row.phase == whole;
                     });
}

bool Overlap(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return a[0] <= b[1] && b[0] <= a[1];
}

// The 95 % CI, or of too few samples from min to max; nullopt: of fewer than three.
std::optional<std::array<double, 2>> RangeOf(const PhaseRow& phase) {
  if (phase.mean_ci95_s) return phase.mean_ci95_s;
  if (phase.samples < kMinForRange || !(phase.max_s > 0)) return {};
  return std::array<double, 2>{phase.min_s, phase.max_s};
}

// Ratio of the longer phase to the shorter; nullopt: equal within their ranges.
OptionalNumber DisagreementOf(const PhaseRow& a, const PhaseRow& b) {
  const auto [low, high] = std::minmax(a.mean_s, b.mean_s);
  if (!(low > 0) || high < (1 + kMuchDisagreement) * low) return {};
  const auto range = RangeOf(a);
  const auto other = RangeOf(b);
  if (range && other && Overlap(*range, *other)) return {};
  return high / low;
}

// Direct inference has no profiler in its process.
bool IsPreferred(const PhaseRow& phase) {
  return phase.source.starts_with("direct_inference/");
}

std::string StageOf(const PhaseRow& phase) {
  return Shortened(phase.source.substr(0, phase.source.find('/')), kMaxName);
}

// "torch_profiler (95 % CI half-width 79 %)"
std::string StageWithSpread(const PhaseRow& phase, double spread) {
  return fmt::format("{} (95 % CI half-width {})", StageOf(phase), Percent(spread));
}

// The preferred stage, unless it was disturbed itself.
std::string WhichToUse(const PhaseRow& used, const PhaseRow& other) {
  const double spread = SpreadOf(used).value_or(0);
  const double other_spread = SpreadOf(other).value_or(0);
  if (spread < kNoisyShare) {
    return fmt::format(
        "Use the times of {}. Stop other processes, lock the clock rate, add warm-up "
        "rounds (pipeline.torch_profiler.warmup_rounds) and measure again until both "
        "agree",
        StageOf(used));
  }
  if (other_spread < kNoisyShare) {
    return fmt::format("{} was disturbed: stop other processes and measure again",
                       StageWithSpread(used, spread));
  }
  return fmt::format(
      "{} and {} were both disturbed: stop other processes and measure again",
      StageWithSpread(used, spread), StageWithSpread(other, other_spread));
}

// Both ends of the 95 % CI, or nothing.
void CiteInterval(const Document& document, const PhaseRow& phase,
                  std::vector<Cell>& evidence) {
  if (!phase.mean_ci95_s) return;
  const Cell interval = Cite(document.phases, phase, &PhaseRow::mean_ci95_s);
  const auto end_of = [&interval](const char* column, const char* words, double value) {
    Cell cell = interval;
    cell.column += column;
    cell.words = words;
    cell.value = value;
    return cell;
  };
  const auto& [low, high] = *phase.mean_ci95_s;
  AddTo(evidence, {end_of("/0", "lower bound of the 95 % CI", low),
                   end_of("/1", "upper bound of the 95 % CI", high)});
}

Advice Disagreement(const Document& document, const PhaseRow& used, const PhaseRow& other,
                    double ratio) {
  Advice advice = {.verdict = fmt::format(
                       "{}: {} measures {} per {} (n={}), {} measures {} (n={}), both "
                       "unprofiled: {}x apart",
                       PhaseName(document, used), StageOf(used), Time(used.mean_s),
                       SampleUnit(document, used), used.samples, StageOf(other),
                       Time(other.mean_s), other.samples, Ratio(ratio)),
                   .action = WhichToUse(used, other),
                   .evidence = {Cite(document.phases, used, &PhaseRow::mean_s),
                                Cite(document.phases, other, &PhaseRow::mean_s)}};
  if (SpreadOf(used).value_or(0) < kNoisyShare) return advice;
  CiteInterval(document, used, advice.evidence);
  CiteInterval(document, other, advice.evidence);
  return advice;
}

// The phase with the widest interval. Times of the preferred stage are those that
// summaries show first: a wide interval there matters more than a wider one elsewhere.
const PhaseRow* WidestInterval(const Document& document) {
  const PhaseRow* widest = nullptr;
  for (const PhaseRow* phase : MajorRows(document.phases)) {
    const OptionalNumber spread = SpreadOf(*phase);
    if (IsPartOfWhole(document, *phase) || !spread || *spread < kWideShare) continue;
    const auto rank = [](const PhaseRow& row) {
      return std::pair(IsPreferred(row), *SpreadOf(row));
    };
    if (widest == nullptr || rank(*phase) > rank(*widest)) widest = phase;
  }
  return widest;
}

// How to get `factor` times as many samples of the phase.
std::string HowToMeasureMore(const Document& document, const PhaseRow& phase,
                             double factor, std::vector<Cell>& evidence) {
  const double samples = std::ceil(static_cast<double>(phase.samples) * factor);
  const std::string goal =
      fmt::format("for a half-width of {:.0f} %", 100 * kWantedShare);
  int repeats = 0;
  if (SampleUnit(document, phase) == "call" && StageOf(phase) == "torch_profiler") {
    // It runs the program only once.
    const bool has_repeats =
        std::any_of(document.phases.begin(), document.phases.end(), IsPreferred);
    return fmt::format(
        "Make n={:.0f} calls in the program {}, in addition to warm-up calls "
        "(pipeline.torch_profiler.warmup_rounds){}",
        samples, goal,
        has_repeats ? ""
                    : ", or set pipeline.direct_inference.enable=true, which repeats the "
                      "program run.repeats times");
  }
  if (const ConfigRow* entry = ConfiguredRepeats(document, repeats)) {
    evidence.push_back(Cite(document.config, *entry, &ConfigRow::value));
    return fmt::format("Set run.repeats={:.0f} (now {}) {}", std::ceil(repeats * factor),
                       repeats, goal);
  }
  return fmt::format("Raise run.repeats to reach n={:.0f} {}", samples, goal);
}

// The same phase without a profiler, from the same source if possible: other processes
// differ in more than the profiler.
const PhaseRow* UnprofiledOf(const Document& document, const PhaseRow& slow) {
  const PhaseRow* other = nullptr;
  for (const PhaseRow& fast : document.phases) {
    if (fast.profiled || fast.phase != slow.phase) continue;
    if (fast.source == slow.source) return &fast;
    if (other == nullptr) other = &fast;
  }
  return other;
}

// Of the one profiled page or call of torch_profiler, as measured by that stage.
std::vector<Advice> OverheadOfOnePass(const Document& document) {
  if (!document.profiling_overhead) return {};
  const ProfilingOverheadRow& overhead = *document.profiling_overhead;
  if (overhead.factor < kSlowedDown) return {};
  // Other load explains it, which has its own warning.
  if (!ProfiledPassDisturbed(document).empty()) return {};
  return {{.verdict = fmt::format("Profiling overhead {}x in {} ({} vs {} unprofiled)",
                                  Ratio(overhead.factor), Quoted(overhead.source),
                                  Time(overhead.profiled_s), Time(overhead.unprofiled_s)),
           .action = "Take times from the unprofiled passes; use the profiled pass only "
                     "for shares",
           .evidence = {Cite(overhead, &ProfilingOverheadRow::factor),
                        Cite(overhead, &ProfilingOverheadRow::profiled_s),
                        Cite(overhead, &ProfilingOverheadRow::unprofiled_s)}}};
}

// Rounds of a measured peak that differ too much.
struct PeakRounds {
  std::string_view peak;
  OptionalNumber LedgerRow::*per_s;
  IfThere<double> LedgerRow::*ratio;
  Unit unit;
  std::string_view too_high;
  std::string_view key;
};

constexpr PeakRounds kPeakRounds[] = {
    {"peak", &LedgerRow::compute_flops_per_s, &LedgerRow::peak_rounds_ratio,
     Unit::kFlopsPerS, "MFU", "hardware.peak_tflops"},
    {"bandwidth", &LedgerRow::memory_bytes_per_s, &LedgerRow::bandwidth_rounds_ratio,
     Unit::kBytesPerS, "MBU", "hardware.peak_gbps"}};

}  // namespace

std::vector<Advice> ParityFailed(const Document& document) {
  if (document.verdict.parity != artifacts::Parity::kFailed) return {};
  Advice advice = {
      .verdict =
          "Output differs from the reference (parity failed): do not use the "
          "times of this run",
      .action =
          "Find the first page that differs in direct_inference/parity.json, fix "
          "the difference and measure again",
      .evidence = {Cite(document.verdict, &VerdictRow::parity)}};
  if (const size_t pages = document.predictions.size(); pages > 1) {
    advice.action = fmt::format(
        "Find the first of {} that differs in direct_inference/parity.json, fix the "
        "difference and measure again",
        Plural(pages, "page"));
    advice.evidence.push_back(CiteAll(document.predictions));
  }
  return {advice};
}

std::vector<Advice> NotComplete(const Document& document) {
  if (document.verdict.complete != false || document.is_imported()) return {};
  const std::vector<const StageRow*> stages = IncompleteStages(document);
  Advice advice;
  if (!stages.empty()) {
    advice.verdict =
        fmt::format("{} did not complete: {}",
                    PartOf(stages.size(), document.stages.size(), "stage"), Ends(stages));
    advice.action = FixesFor(stages);
    for (const StageRow* stage : stages) {
      advice.evidence.push_back(Cite(document.stages, *stage, &StageRow::state));
    }
    return {advice};
  }
  if (document.run.state == ToText(State::kDone)) return {};
  advice.verdict = "The run did not complete";
  advice.evidence = {Cite(document.verdict, &VerdictRow::complete)};
  if (document.run.reason) {
    advice.verdict += ": " + Shortened(*document.run.reason, kMaxReason);
    advice.evidence.push_back(Cite(document.run, &RunRow::reason));
  }
  advice.action = "Continue with 'ridgeline run --resume DIR'";
  return {advice};
}

std::vector<Advice> RecordsLost(const Document& document) {
  const DroppedRow* most = nullptr;
  int64_t lost = 0;
  std::vector<Cell> evidence;
  const auto is_profile = [&document](const std::string& file) {
    return std::any_of(document.sources.begin(), document.sources.end(),
                       [&file](const SourceRow& source) { return source.file == file; });
  };
  for (const DroppedRow& row : document.dropped) {
    if (!row.lost || row.count < 1 || !is_profile(row.source)) continue;
    lost += row.count;
    evidence.push_back(Cite(document.dropped, row, &DroppedRow::count));
    if (most == nullptr || row.count > most->count) most = &row;
  }
  if (most == nullptr) return {};
  return {{.verdict =
               fmt::format("{} lost on import from {}: {} ({})", Plural(lost, "record"),
                           Quoted(most->source), Shortened(most->reason, kMaxReason),
                           WithCommas(most->count)),
           .action = "Capture or export the profile again: times and counts of this one "
                     "are too low",
           .evidence = std::move(evidence)}};
}

// One phase is enough: a slow machine slows down all of them. Whole samples first.
std::vector<Advice> StagesDisagree(const Document& document) {
  std::vector<Advice> found;
  for (const PhaseRow* used : MajorRows(document.phases)) {
    if (used->profiled || !IsPreferred(*used)) continue;
    for (const PhaseRow& other : document.phases) {
      if (other.profiled || other.phase != used->phase || IsPreferred(other)) continue;
      const OptionalNumber ratio = DisagreementOf(*used, other);
      if (ratio) found.push_back(Disagreement(document, *used, other, *ratio));
    }
  }
  if (found.size() > 1) found.resize(1);
  return found;
}

std::vector<Advice> WideConfidenceInterval(const Document& document) {
  const PhaseRow* const widest = WidestInterval(document);
  if (widest == nullptr) return {};
  const double spread = *SpreadOf(*widest);
  const auto& [low, high] = *widest->mean_ci95_s;
  Advice advice = {.verdict = fmt::format(
                       "{} in {}: half-width of the 95 % CI is {} of the mean ({} to {}, "
                       "n={})",
                       PhaseName(document, *widest), StageOf(*widest), Percent(spread),
                       Time(low), Time(high), widest->samples),
                   .evidence = {Cite(document.phases, *widest, &PhaseRow::mean_s),
                                Cite(document.phases, *widest, &PhaseRow::samples)}};
  CiteInterval(document, *widest, advice.evidence);
  // The interval shrinks with the square root of n, if only n is too small.
  advice.action =
      spread >= kNoisyShare
          ? "Stop other processes and measure again"
          : HowToMeasureMore(document, *widest, std::pow(spread / kWantedShare, 2),
                             advice.evidence);
  return {advice};
}

std::vector<Advice> ProfilerOverhead(const Document& document) {
  const PhaseRow* worst_slow = nullptr;
  const PhaseRow* worst_fast = nullptr;
  double worst_ratio = kSlowedDown;
  for (const PhaseRow& slow : document.phases) {
    // A single profiled page is not comparable to the mean of all: its stage measures its
    // overhead, see OverheadOfOnePass.
    if (!slow.profiled || slow.samples < 2 || IsPartOfWhole(document, slow)) continue;
    const PhaseRow* const fast = UnprofiledOf(document, slow);
    if (fast == nullptr || !(fast->mean_s > 0)) continue;
    if (fast->mean_s < kWorthTelling * LongestMean(document, *fast)) continue;
    const double ratio = slow.mean_s / fast->mean_s;
    if (ratio < worst_ratio) continue;
    worst_ratio = ratio;
    worst_slow = &slow;
    worst_fast = fast;
  }
  if (worst_slow == nullptr) return OverheadOfOnePass(document);
  return {
      {.verdict = fmt::format("{}: profiling overhead {}x in {} ({} vs {} unprofiled)",
                              PhaseName(document, *worst_slow), Ratio(worst_ratio),
                              Quoted(worst_slow->source), Time(worst_slow->mean_s),
                              Time(worst_fast->mean_s)),
       .action =
           worst_fast->source == worst_slow->source
               ? "Take times from the unprofiled passes; use the profiled pass "
                 "only for shares"
               : fmt::format("Take times from {}; use {} only for shares",
                             Quoted(worst_fast->source), Quoted(worst_slow->source)),
       .evidence = {Cite(document.phases, *worst_slow, &PhaseRow::mean_s),
                    Cite(document.phases, *worst_fast, &PhaseRow::mean_s)}}};
}

bool ProfilerDominates(const Document& document) {
  if (!document.profiling_overhead) return false;
  const ProfilingOverheadRow& overhead = *document.profiling_overhead;
  return overhead.events.value_or(0) > 0 && overhead.factor >= kDisturbed &&
         overhead.profiled_s - overhead.unprofiled_s <
             kProfilerPerEventS * static_cast<double>(*overhead.events);
}

std::vector<Advice> ProfiledPassDisturbed(const Document& document) {
  for (const PhaseRow& slow : document.phases) {
    if (!slow.profiled || slow.samples != 1 || IsPartOfWhole(document, slow)) continue;
    const PhaseRow* const fast = UnprofiledOf(document, slow);
    if (fast == nullptr || fast->source != slow.source || !(fast->max_s > 0)) continue;
    const double ratio = slow.mean_s / fast->max_s;
    if (ratio < kDisturbed) continue;
    if (ProfilerDominates(document)) {
      const ProfilingOverheadRow& overhead = *document.profiling_overhead;
      return {{.verdict =
                   fmt::format("Profiling overhead dominates: {} in a {} {}",
                               Plural(*overhead.events, "event"),
                               Time(overhead.unprofiled_s), SampleUnit(document, slow)),
               .action = "Profile a larger batch",
               .evidence = {Cite(overhead, &ProfilingOverheadRow::events),
                            Cite(overhead, &ProfilingOverheadRow::unprofiled_s),
                            Cite(overhead, &ProfilingOverheadRow::profiled_s)}}};
    }
    return {{.verdict = fmt::format(
                 "{} in {}: the profiled {} took {}, {}x the slowest of {} unprofiled "
                 "ones ({}): operator times are not representative",
                 PhaseName(document, slow), StageOf(slow), SampleUnit(document, slow),
                 Time(slow.mean_s), Ratio(ratio), fast->samples, Time(fast->max_s)),
             .action = "Stop other processes, add warm-up rounds "
                       "(pipeline.torch_profiler.warmup_rounds) and profile again",
             .evidence = {Cite(document.phases, slow, &PhaseRow::mean_s),
                          Cite(document.phases, *fast, &PhaseRow::max_s)}}};
  }
  return {};
}

std::vector<Advice> PeakUnderLoad(const Document& document) {
  if (!document.ledger) return {};
  const LedgerRow& ledger = *document.ledger;
  std::vector<Advice> found;
  for (const PeakRounds& rounds : kPeakRounds) {
    const OptionalNumber& per_s = ledger.*rounds.per_s;
    const double ratio = (ledger.*rounds.ratio).value_or(1);
    if (!per_s || ratio < kUnderLoad) continue;
    found.push_back(
        {.verdict = fmt::format(
             "{} {} measured under load: {} (rounds differ by {:.1f}x): {} may be too "
             "high",
             ledger.device.starts_with("cpu") ? "CPU" : "GPU", rounds.peak,
             Number(*per_s, rounds.unit), ratio, rounds.too_high),
         .action =
             fmt::format("Stop other processes and measure again, or set {}", rounds.key),
         .evidence = {Cite(ledger, rounds.per_s), Cite(ledger, rounds.ratio)}});
  }
  return found;
}

std::vector<Advice> AbovePeak(const Document& document) {
  if (!document.ledger) return {};
  const LedgerRow& ledger = *document.ledger;
  for (const LedgerPhaseRow& phase : ledger.phases) {
    if (phase.mfu.value_or(0) <= 1 || !phase.flops || !ledger.compute_flops_per_s) {
      continue;
    }
    return {{.verdict = fmt::format(
                 "{}: MFU {}: {} in {} are above the peak of {}",
                 PhaseName(ledger, phase), Percent(*phase.mfu),
                 TextOf(ToValue(*phase.flops), Unit::kFlops), Time(phase.measured_s),
                 Number(*ledger.compute_flops_per_s, Unit::kFlopsPerS)),
             .action = "One of the three is wrong, do not use this MFU: set "
                       "hardware.peak_tflops if the peak is too low, otherwise the time "
                       "is not that of these FLOPs",
             .evidence = {Cite(ledger.phases, phase, &LedgerPhaseRow::mfu),
                          Cite(ledger.phases, phase, &LedgerPhaseRow::flops),
                          Cite(ledger.phases, phase, &LedgerPhaseRow::measured_s),
                          Cite(ledger, &LedgerRow::compute_flops_per_s)}}};
  }
  return {};
}

std::vector<Advice> CeilingUnknown(const Document& document) {
  if (!document.ledger) return {};
  const LedgerRow& ledger = *document.ledger;
  const bool no_compute = !ledger.compute_flops_per_s;
  const bool no_memory = !ledger.memory_bytes_per_s;
  if (!no_compute && !no_memory) return {};
  Advice advice;
  advice.verdict =
      fmt::format("{} of {} unknown: no roofline",
                  no_compute && no_memory ? "Peak FLOP/s and peak bandwidth"
                  : no_compute            ? "Peak FLOP/s"
                                          : "Peak bandwidth",
                  (ledger.device.empty() ? "this device" : Quoted(ledger.device)) +
                      (no_compute && no_memory ? " are" : " is"));
  advice.action = "Set";
  if (no_compute) {
    advice.action += " hardware.peak_tflops=...";
    advice.evidence.push_back(Cite(ledger, &LedgerRow::compute_flops_per_s));
  }
  if (no_memory) {
    advice.action += " hardware.peak_gbps=...";
    advice.evidence.push_back(Cite(ledger, &LedgerRow::memory_bytes_per_s));
  }
  advice.action +=
      " (vendor numbers: dense, for the dtype in use), or measure them with "
      "pipeline.static_analysis.enable=true";
  return {advice};
}

}  // namespace ridgeline::report
