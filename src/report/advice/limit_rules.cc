#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/advice/rules.h"
#include "report/printers/markdown.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

// At a ceiling from 60 % on, as in ncu_findings.h.
constexpr double kNearCeiling = 0.60;

// Below a third of peak, overhead dominates.
constexpr double kFarFromCeiling = 0.33;

// Share of launch gaps that explains why a phase is far from its roofline.
constexpr double kExplainingGap = 0.10;

// Share of padding and masked FLOPs.
constexpr double kMuchWaste = 0.10;

// Share of a phase worth starting with: the others cannot save much more in total.
constexpr double kMainShare = 0.40;

// The region of a phase with launch gaps; null: few, or not measured.
const RegionRow* GapsOf(const Document& document, const std::string& phase) {
  for (const RegionRow& region : document.regions) {
    if (region.path != phase || !(region.gpu_span_s > 0)) continue;
    if (region.gpu_idle_s >= kExplainingGap * *region.gpu_span_s) return &region;
  }
  return nullptr;
}

// Roofline times are based on useful FLOPs and compulsory bytes; so are the numbers next
// to them.
struct Limit {
  cost::BoundClass bound;
  std::string_view what;
  OptionalNumber LedgerPhaseRow::*use;
  std::optional<uint64_t> LedgerPhaseRow::*work;
  Unit work_unit;
  std::string_view work_words;
  std::string_view less;      // Advice for a phase at the ceiling.
  std::string_view more;      // Advice for a phase below it...
  std::string_view more_cpu;  // ...on a CPU.
};

constexpr Limit kMemory = {
    .bound = cost::BoundClass::kMemory,
    .what = "peak bandwidth",
    .use = &LedgerPhaseRow::mbu,
    .work = &LedgerPhaseRow::bytes,
    .work_unit = Unit::kBytes,
    .work_words = "",
    .less =
        "Near peak: only fewer bytes help. Quantize weights or KV cache, or raise the "
        "batch size to share each read of the weights",
    .more =
        "Fuse small kernels and raise the batch size, so that each launch moves more "
        "bytes",
    .more_cpu =
        "Raise the batch size or fuse small operators, and use enough threads to "
        "saturate memory bandwidth"};
constexpr Limit kCompute = {
    .bound = cost::BoundClass::kCompute,
    .what = "peak FLOP/s",
    .use = &LedgerPhaseRow::mfu_useful,
    .work = &LedgerPhaseRow::flops_useful,
    .work_unit = Unit::kFlops,
    .work_words = " useful",
    .less = "Near peak: only fewer FLOPs or a lower precision (bf16, fp8) help",
    .more =
        "Raise the batch size for larger GEMMs, use a dtype with tensor-core support, "
        "and check which kernels are not GEMMs",
    .more_cpu =
        "Fuse small operators or raise the batch size, then check thread scaling"};

// Operators of the first source that has operators, by what they compute.
struct OperatorTime {
  double gemm_share = 0;
  double rest_share = 0;  // Of GEMMs that are not in the evidence.
  size_t rest = 0;
  double share = 0;   // Of the others.
  std::string names;  // Their longest: "aten::softmax 11 %, aten::add 10 %".
  std::vector<Cell> evidence, gemm_evidence;
};

// Operators below this share are summed up in evidence.
constexpr double kEvidentShare = 0.01;

// What takes at least half of the time of the whole pass dominates it.
constexpr double kMostOfPass = 0.5;

bool IsGemmOperator(std::string_view name) {
  constexpr std::string_view kParts[] = {"mm", "linear", "conv", "attention", "einsum"};
  return std::any_of(std::begin(kParts), std::end(kParts), [name](std::string_view part) {
    return name.find(part) != name.npos;
  });
}

OperatorTime OperatorTimeOf(const Document& document) {
  constexpr size_t kMaxNamedOperators = 2;
  OperatorTime time;
  for (const OperatorRow& op : document.operators) {
    if (!op.share || op.source != document.operators.front().source) continue;
    const Cell share = Cite(document.operators, op, &OperatorRow::share);
    if (IsGemmOperator(op.name)) {
      time.gemm_share += *op.share;
      if (*op.share >= kEvidentShare) {
        time.gemm_evidence.push_back(share);
      } else {
        time.rest_share += *op.share;
        ++time.rest;
      }
      continue;
    }
    time.share += *op.share;
    if (time.evidence.size() == kMaxNamedOperators) continue;
    time.names += fmt::format("{}{} {}", time.names.empty() ? "" : ", ",
                              Shortened(op.name, kMaxName), Percent(*op.share));
    time.evidence.push_back(share);
  }
  if (time.rest > 0) {
    Cell rest = CiteAll(document.operators);
    rest.words = fmt::format("and {} more below 1 %", time.rest);
    rest.value = time.rest_share;
    rest.unit = Unit::kFraction;
    time.gemm_evidence.push_back(std::move(rest));
  }
  return time;
}

std::string OverheadAction(const Document& document, std::string_view more, bool is_cpu,
                           std::vector<Cell>& evidence) {
  if (!is_cpu) {
    return fmt::format(
        "Overhead dominates: {}. {}",
        document.regions.empty()
            ? "capture a timeline to find it (pipeline.nsys.enable=true)"
            : "look for copies, synchronizing calls and CPU work in the timeline",
        more);
  }
  const OperatorTime time = OperatorTimeOf(document);
  const auto add = [&evidence](const std::vector<Cell>& cells) {
    evidence.insert(evidence.end(), cells.begin(), cells.end());
  };
  if (time.share < kMostOfPass && time.gemm_share >= kMostOfPass) {
    add(time.gemm_evidence);
    return fmt::format(
        "Inefficient GEMMs and convolutions ({} of operator self time of the whole "
        "pass): raise the batch size, check OMP_NUM_THREADS and the BLAS",
        Percent(time.gemm_share));
  }
  if (time.share < kMostOfPass) {
    return fmt::format(
        "Overhead dominates: look for allocator churn, idle threads and small "
        "operators. {}",
        more);
  }
  add(time.evidence);
  return fmt::format(
      "Overhead dominates: most time in the whole pass is outside GEMMs and "
      "convolutions (see Operators: {}). {}",
      time.names, more);
}

// The first phase far below its ceiling; null: none. What takes the time of the whole
// pass is said once, there.
const LedgerPhaseRow* FirstFarPhase(const Document& document) {
  for (const LedgerPhaseRow* phase : MajorRows(document.ledger->phases)) {
    if (phase->name == "end_to_end" || phase->bound == cost::BoundClass::kUnknown)
      continue;
    const OptionalNumber& use =
        phase->bound == cost::BoundClass::kMemory ? phase->mbu : phase->mfu_useful;
    if (use && *use < kFarFromCeiling && GapsOf(document, phase->name) == nullptr) {
      return phase;
    }
  }
  return nullptr;
}

std::string ActionFor(const Document& document, const LedgerPhaseRow& row, double use,
                      const Limit& limit, std::vector<Cell>& evidence) {
  const std::string& phase = row.name;
  const bool is_cpu = document.ledger->device.starts_with("cpu");
  const std::string_view more = is_cpu ? limit.more_cpu : limit.more;
  if (use >= kNearCeiling) return std::string(limit.less);
  if (use >= kFarFromCeiling) return std::string(more);
  if (const RegionRow* const region = GapsOf(document, phase)) {
    AddTo(evidence, {Cite(document.regions, *region, &RegionRow::gpu_idle_s),
                     Cite(document.regions, *region, &RegionRow::gpu_span_s)});
    return fmt::format("Close launch gaps first: the GPU is idle for {} of {}. {}",
                       Percent(*region->gpu_idle_s / *region->gpu_span_s), phase, more);
  }
  if (is_cpu && !document.operators.empty() && FirstFarPhase(document) != &row) {
    return std::string(more);
  }
  return OverheadAction(document, more, is_cpu, evidence);
}

// "memory-bound at 45 % of peak bandwidth, 2.20x roofline time"
std::string LimitText(const Limit& limit, double use, const OptionalNumber& slowdown) {
  const std::string share = fmt::format("{} of {}", PeakShare(use), limit.what);
  if (!slowdown) return fmt::format("{}-bound at {}", NameOf(limit.bound), share);
  const std::string factor = Ratio(*slowdown) + "x roofline time";
  if (use >= kOverheadBound) {
    return fmt::format("{}-bound at {}, {}", NameOf(limit.bound), share, factor);
  }
  return fmt::format("{} ({} roofline), {}: overhead-bound", factor, NameOf(limit.bound),
                     share);
}

std::vector<Advice> BoundBy(const Document& document, const Limit& limit) {
  std::vector<Advice> found;
  if (!document.ledger) return found;
  const std::vector<LedgerPhaseRow>& phases = document.ledger->phases;
  for (const LedgerPhaseRow* phase : MajorRows(phases)) {
    const OptionalNumber& use = phase->*limit.use;
    const std::optional<uint64_t>& work = phase->*limit.work;
    // A page is the sum of the phases.
    if (phase->bound != limit.bound || phase->name == "end_to_end" || !use) continue;
    Advice advice = {.evidence = {Cite(phases, *phase, limit.use)}};
    OptionalNumber slowdown;
    std::string amount;
    if (phase->roofline_slowdown && work) {
      slowdown = phase->roofline_slowdown;
      amount = fmt::format(" ({}{} in {} over {})",
                           TextOf(ToValue(*work), limit.work_unit), limit.work_words,
                           Time(phase->measured_s), Samples(document.ledger->samples));
      AddTo(advice.evidence, {Cite(phases, *phase, &LedgerPhaseRow::roofline_slowdown),
                              Cite(phases, *phase, limit.work)});
    }
    advice.verdict = PhaseName(*document.ledger, *phase) + ": " +
                     LimitText(limit, *use, slowdown) + amount;
    advice.action = ActionFor(document, *phase, *use, limit, advice.evidence);
    if (phase->roofline_s) {
      advice.saving_s = SavingOf(phase->measured_s - *phase->roofline_s);
      AddTo(advice.evidence, {Cite(phases, *phase, &LedgerPhaseRow::measured_s),
                              Cite(phases, *phase, &LedgerPhaseRow::roofline_s)});
    }
    found.push_back(std::move(advice));
  }
  return found;
}

struct Part {
  std::string name;
  double seconds = 0;
  std::vector<Cell> evidence;
};

const PhaseRow* UnprofiledPhase(const Document& document, const std::string& source,
                                std::string_view name) {
  for (const PhaseRow& phase : document.phases) {
    if (phase.phase == name && phase.source == source && !phase.profiled) return &phase;
  }
  return nullptr;
}

// Phases of a page, in sequence. Measured prefill includes vision.
std::vector<Part> PartsOfPage(const Document& document, const std::string& source) {
  std::vector<Part> parts;
  const PhaseRow* const vision = UnprofiledPhase(document, source, "vision");
  for (const char* name : {"preprocess", "vision", "prefill", "decode"}) {
    const PhaseRow* const phase = UnprofiledPhase(document, source, name);
    if (phase == nullptr) continue;
    Part part = {CostedPhaseName(name, vision != nullptr),
                 phase->mean_s,
                 {Cite(document.phases, *phase, &PhaseRow::mean_s)}};
    if (vision != nullptr && phase->phase == "prefill") {
      part.seconds -= vision->mean_s;
      part.evidence.push_back(Cite(document.phases, *vision, &PhaseRow::mean_s));
    }
    if (part.seconds > 0) parts.push_back(std::move(part));
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.seconds > b.seconds; });
  return parts;
}

Advice MainPart(const Part& main, const Document& document, const PhaseRow& page) {
  const double share = std::min(1.0, main.seconds / page.mean_s);
  Advice advice = {.verdict = fmt::format(
                       "{0} takes {1} of a {2} ({3} of {4}): a 2x faster {0} makes "
                       "{2}s {5}x faster",
                       main.name, Percent(share), SampleUnit(document, page),
                       Time(main.seconds), Time(page.mean_s), Ratio(1 / (1 - share / 2))),
                   .action = fmt::format("Optimize {} first", main.name),
                   .evidence = main.evidence};
  advice.evidence.push_back(Cite(document.phases, page, &PhaseRow::mean_s));
  if (share < 1) {
    advice.action +=
        fmt::format(": removing everything else gives at most {}x", Ratio(1 / share));
  }
  return advice;
}

}  // namespace

std::vector<Advice> MemoryBound(const Document& document) {
  return BoundBy(document, kMemory);
}
std::vector<Advice> ComputeBound(const Document& document) {
  return BoundBy(document, kCompute);
}

std::vector<Advice> WastedFlops(const Document& document) {
  std::vector<Advice> found;
  if (!document.ledger) return found;
  const std::vector<LedgerPhaseRow>& phases = document.ledger->phases;
  for (const LedgerPhaseRow* phase : MajorRows(phases)) {
    if (!phase->mfu || !phase->mfu_useful || !(*phase->mfu > 0)) continue;
    if (phase->bound != kCompute.bound || phase->name == "end_to_end") continue;
    const double wasted = 1 - *phase->mfu_useful / *phase->mfu;
    if (wasted < kMuchWaste) continue;
    found.push_back(
        {.verdict = fmt::format("{}: {} of executed FLOPs are padding or masked",
                                PhaseName(*document.ledger, *phase), Percent(wasted)),
         .action = fmt::format("Skip padding and masked work in {}: attention that skips "
                               "masked blocks, unpadded windows",
                               phase->name),
         .saving_s = SavingOf(phase->measured_s * wasted),
         .evidence = {Cite(phases, *phase, &LedgerPhaseRow::mfu),
                      Cite(phases, *phase, &LedgerPhaseRow::mfu_useful),
                      Cite(phases, *phase, &LedgerPhaseRow::measured_s)}});
  }
  return found;
}

std::vector<Advice> DominantPhase(const Document& document) {
  std::vector<const PhaseRow*> pages;
  for (const PhaseRow& phase : document.phases) {
    if (phase.phase == "end_to_end" && !phase.profiled && phase.mean_s > 0) {
      pages.push_back(&phase);
    }
  }
  // Direct inference runs without a profiler.
  std::stable_partition(pages.begin(), pages.end(), [](const PhaseRow* page) {
    return page->source.starts_with("direct_inference/");
  });
  for (const PhaseRow* page : pages) {
    const std::vector<Part> parts = PartsOfPage(document, page->source);
    if (parts.empty() || parts.front().seconds < kMainShare * page->mean_s) continue;
    return {MainPart(parts.front(), document, *page)};
  }
  return {};
}

}  // namespace ridgeline::report
