#include <fmt/format.h>

#include <algorithm>

#include "analysis/statistics.h"
#include "base/plural.h"
#include "report/printers/advice_text.h"
#include "report/printers/markdown.h"
#include "report/printers/printers.h"
#include "report/sections/summary_lines.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

constexpr size_t kMaxShown = 3;  // Pieces of advice.
constexpr size_t kMaxReasonBytes = 300;

// Unprofiled times, preferably of direct_inference.
const PhaseRow* UnprofiledTimes(const Document& document, std::string_view name) {
  const PhaseRow* any = nullptr;
  for (const PhaseRow& phase : document.phases) {
    if (phase.phase != name || phase.profiled) continue;
    if (phase.source.starts_with("direct_inference")) return &phase;
    if (any == nullptr) any = &phase;
  }
  return any;
}

double MeanOrZero(const Document& document, std::string_view name) {
  const PhaseRow* const phase = UnprofiledTimes(document, name);
  return phase == nullptr ? 0 : phase->mean_s;
}

std::string SummaryTitle(const Document& document) {
  const RunRow& run = document.run;
  const std::string name = RunInTitle(document);
  std::string text =
      document.is_imported()
          ? "# Summary of imported profiles\n\n"
          : fmt::format("# Summary of {}{}{}\n\n", name.starts_with("job ") ? "" : "run ",
                        name, ExperimentInTitle(document));
  text += Escaped(run.workload.value_or(Plural(document.sources.size(), "file")));
  if (run.host) text += " on " + Escaped(*run.host);
  if (run.started) text += ", " + Escaped(*run.started);
  return text + ".\n";
}

// Warnings other than parity, which has a separate line.
std::string DoubtLines(const Document& document) {
  std::string text;
  for (const Advice& advice : document.advice) {
    if (!advice.doubt || advice.rule == "parity_failed") continue;
    text += fmt::format("- {}\n", AdviceSentence(document, advice));
  }
  return text;
}

// References exist for built-in models only.
bool IsBuiltinModel(const Document& document) {
  return document.run.workload.value_or("").find("built-in model") != std::string::npos;
}

std::string ParityLine(const Document& document) {
  switch (document.verdict.parity) {
    case artifacts::Parity::kFailed:
      return "- **Output parity failed**: predictions differ from the reference. Do not "
             "use the times of this run.\n";
    case artifacts::Parity::kPassed:
      return "- Output parity passed.\n";
    case artifacts::Parity::kNotChecked:
      return IsBuiltinModel(document) ? "- Output not compared with a reference.\n" : "";
  }
  return "";
}

std::string ValiditySection(const Document& document) {
  const VerdictRow& verdict = document.verdict;
  std::string text;
  if (!document.is_imported()) {  // Otherwise there is nothing to check.
    text += ParityLine(document);
    if (verdict.complete == true) text += "- All stages completed.\n";
    if (verdict.notes > 0) {
      text += fmt::format("- {} in report.md.\n", Plural(verdict.notes, "note"));
    }
  }
  text += DoubtLines(document);
  return text.empty() ? "" : "\n## Validity\n\n" + text;
}

// From the unprofiled process if possible: profilers need memory, too.
std::optional<int64_t> MostMemory(const Document& document) {
  std::optional<int64_t> most;
  for (const PeakRssRow& peak : document.memory.peak_rss) {
    if (peak.source.starts_with("direct_inference:")) return peak.bytes;
    most = std::max(most.value_or(0), peak.bytes);
  }
  return most;
}

// "- ncu: 4 launches of 2 kernels (1 memory-bound, 1 latency-bound).\n"
std::string NcuLine(const Document& document) {
  if (document.ncu_kernels.empty()) return "";
  int64_t launches = 0;
  std::vector<std::pair<analysis::Bottleneck, int64_t>> classes;
  for (const NcuKernelRow& kernel : document.ncu_kernels) {
    launches += kernel.launches;
    const auto known =
        std::find_if(classes.begin(), classes.end(),
                     [&kernel](const auto& c) { return c.first == kernel.kernel_class; });
    if (known == classes.end()) {
      classes.emplace_back(kernel.kernel_class, 1);
    } else {
      ++known->second;
    }
  }
  std::stable_sort(classes.begin(), classes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string list;
  for (const auto& [kernel_class, count] : classes) {
    list +=
        fmt::format("{}{} {}", list.empty() ? "" : ", ", count, ClassText(kernel_class));
  }
  const auto kernels = static_cast<int64_t>(document.ncu_kernels.size());
  return fmt::format("- ncu: {} of {} profiled ({}).\n", Launches(launches),
                     Plural(kernels, "kernel"), list);
}

// TTFT, ITL and MFU of the calls of a Python program.
std::string CallLines(const Document& document) {
  std::string text;
  for (const TokenLatencyRow& row : document.token_latency) {
    if (row.source != document.token_latency.back().source) continue;
    text += fmt::format("- {}: median {}, p99 {}, n={}.\n",
                        row.measure == "ttft" ? "Time to first token (TTFT)"
                                              : "Inter-token latency (ITL)",
                        Time(row.median_s), Time(row.p99_s), WithCommas(row.count));
  }
  if (document.flops_per_call) {
    text += fmt::format("- FLOPs of one call of {}: {}.\n",
                        Escaped(document.flops_per_call->call),
                        TextOf(document.flops_per_call->flops, Unit::kFlops));
  }
  if (!document.ledger || document.ledger->flops_source != kOperatorShapes) return text;
  for (const LedgerPhaseRow& phase : document.ledger->phases) {
    if (!phase.mfu || !phase.flops) continue;
    text += fmt::format(
        "- MFU of {}: {} ({} in {}: the same call in an unprofiled run, n={}).\n",
        Escaped(phase.name), Percent(*phase.mfu),
        TextOf(ToValue(*phase.flops), Unit::kFlops), Time(phase.measured_s),
        document.ledger->samples);
  }
  return text;
}

// The first line explains the time.
std::string BusyLines(const Document& document) {
  std::string text;
  for (const DeviceRow& device : document.devices) {
    if (!(device.span_s > 0)) continue;
    text += fmt::format(
        "- {}: busy {} of {}{} in {}.\n", Escaped(device.model.value_or(device.label())),
        Percent(device.busy_s / device.span_s), Time(device.span_s),
        text.empty() ? " (first to last GPU activity)" : "", Escaped(device.source));
  }
  return text;
}

std::string ResultsSection(const Document& document) {
  std::string text;
  if (const PhaseRow* page = UnprofiledTimes(document, "end_to_end")) {
    text += fmt::format("- End-to-end time per {}: {}.\n", SampleUnit(document, *page),
                        MeanText(MeanTimeOf(*page)));
  }
  if (const PhaseRow* run = UnprofiledTimes(document, "wall")) {
    text += fmt::format("- Wall time per run: {}.\n", MeanText(MeanTimeOf(*run)));
  }
  const PhaseRow* const decode = UnprofiledTimes(document, "decode");
  if (decode != nullptr && decode->tokens_per_s) {
    text += fmt::format("- Decode throughput: {} tokens/s over {}.\n",
                        Ratio(*decode->tokens_per_s), Samples(decode->samples));
  }
  text += CallLines(document);
  if (const std::optional<int64_t> most = MostMemory(document)) {
    text += fmt::format("- Peak RSS: {}.\n", TextOf(*most, Unit::kBytes));
  }
  text += BusyLines(document);
  text += NcuLine(document);
  const PhaseRow* const whole = UnprofiledTimes(document, "end_to_end");
  const std::string parts =
      PagePartsTable({.end_to_end_s = MeanOrZero(document, "end_to_end"),
                      .preprocess_s = MeanOrZero(document, "preprocess"),
                      .vision_s = MeanOrZero(document, "vision"),
                      .prefill_s = MeanOrZero(document, "prefill"),
                      .decode_s = MeanOrZero(document, "decode"),
                      .unit = whole == nullptr ? "page" : SampleUnit(document, *whole)});
  if (!parts.empty()) text += "\n" + parts;
  return text.empty() ? "" : "\n## Results\n\n" + text;
}

std::string RooflineSection(const Document& document) {
  if (!document.ledger) return "";
  const std::string& device = document.ledger->device;
  std::string text;
  for (const LedgerPhaseRow& phase : document.ledger->phases) {
    if (!phase.roofline_slowdown || phase.name == "end_to_end") continue;
    if (phase.bound == cost::BoundClass::kUnknown) continue;
    text +=
        fmt::format("- {} on {}.\n", Escaped(LimitText(LimitOf(*document.ledger, phase))),
                    Escaped(device.empty() ? "the device" : device));
  }
  return text.empty() ? "" : "\n## Roofline\n\n" + text;
}

// Warnings are under "Validity".
std::string AdviceSection(const Document& document) {
  std::string text;
  size_t number = 0;
  for (const Advice& advice : document.advice) {
    if (advice.doubt || number == kMaxShown) continue;
    text += fmt::format("{}. {}\n", ++number, AdviceSentence(document, advice));
  }
  return text.empty() ? "" : "\n## Top advice\n\n" + text;
}

constexpr std::string_view kRooflineOfModel = "Roofline of the model";

// Of a Python program, whose bytes are unknown.
constexpr std::string_view kNoUtilization =
    "- MFU: needs shapes (`pipeline.torch_profiler.record_shapes=true`) and the profiled "
    "call in the unprofiled run. Roofline: only for built-in models.\n";

struct Missing {
  bool (*is_there)(const Document& document);
  const char* stage;  // Stage that measures it.
  std::string_view what;
  const char* how;
  bool is_of_runs = false;  // Never in imported profiles.
};

constexpr Missing kMissing[] = {
    {[](const Document& d) { return !d.phases.empty(); }, "direct_inference",
     "Unprofiled times", "pipeline.direct_inference.enable=true", true},
    {[](const Document& d) { return d.ledger.has_value(); }, "static_analysis",
     kRooflineOfModel, "pipeline.static_analysis.enable=true", true},
    {[](const Document& d) { return !d.devices.empty(); }, "nsys", "GPU timeline (nsys)",
     "pipeline.nsys.enable=true"},
    {[](const Document& d) { return !d.operators.empty(); }, "torch_profiler",
     "Operators", "pipeline.torch_profiler.enable=true"},
    {[](const Document& d) { return !d.ncu.empty(); }, "ncu", "Kernel counters (ncu)",
     "pipeline.ncu.enable=true"},
};

// Null: disabled.
const StageRow* StageOf(const Document& document, std::string_view name) {
  for (const StageRow& stage : document.stages) {
    if (stage.name == name) return &stage;
  }
  return nullptr;
}

bool IsPythonProgram(const Document& document) {
  return document.flops_per_call ||
         std::any_of(
             document.sources.begin(), document.sources.end(),
             [](const SourceRow& source) { return source.format == "call_metrics"; });
}

// "NoKernels" of "NoKernels: no CUDA calls in the capture"; empty: the note has another
// subject.
std::string_view OutcomeIn(std::string_view note) {
  const std::string_view name = note.substr(0, std::min(note.find(": "), note.size()));
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_letter = [&is_upper](char c) {
    return is_upper(c) || (c >= 'a' && c <= 'z');
  };
  const bool is_name =
      name.size() < note.size() && std::all_of(name.begin(), name.end(), is_letter) &&
      std::count_if(name.begin(), name.end(), is_upper) > 1 && is_upper(name.front());
  return is_name ? name : std::string_view();
}

// Why a stage that completed has no results.
std::string WhyNothing(const StageRow& stage) {
  for (const std::string& note : stage.notes) {
    const std::string_view outcome = OutcomeIn(note);
    if (outcome.empty()) continue;
    const std::string_view reason = std::string_view(note).substr(outcome.size() + 2);
    return fmt::format(": {} (note {}).", Escaped(Shortened(reason, kMaxReasonBytes)),
                       outcome);
  }
  return fmt::format(": {} completed, but recorded none.", stage.name);
}

// Why a stage has no results, or how to get them.
std::string WhyMissing(const Document& document, const Missing& missing) {
  const StageRow* const stage = StageOf(document, missing.stage);
  if (stage == nullptr) return fmt::format(": not enabled (`{}`).", missing.how);
  if (stage->state == artifacts::State::kDone) return WhyNothing(*stage);
  return fmt::format(
      ": {} {}{}.", missing.stage, ToText(stage->state),
      stage->reason ? " (" + Escaped(Shortened(*stage->reason, kMaxReasonBytes)) + ")"
                    : "");
}

std::string MissingSection(const Document& document) {
  std::string text;
  const bool is_run = !document.is_imported();
  for (const Missing& missing : kMissing) {
    if (missing.is_there(document) || (!is_run && missing.is_of_runs)) continue;
    if (missing.what == kRooflineOfModel && IsPythonProgram(document)) {
      text += kNoUtilization;
      continue;
    }
    text += fmt::format("- {}{}\n", missing.what,
                        is_run ? WhyMissing(document, missing) : ".");
  }
  const PhaseRow* const page = UnprofiledTimes(document, "end_to_end");
  if (page != nullptr && page->samples < analysis::kMinForTrustedInterval) {
    text +=
        fmt::format("- 95 % CI of the {} time: too few samples (raise `run.repeats`).\n",
                    SampleUnit(document, *page));
  }
  return text.empty() ? "" : "\n## Not measured\n\n" + text;
}

}  // namespace

std::string SummaryMarkdown(const Document& document) {
  return SummaryTitle(document) + ValiditySection(document) + ResultsSection(document) +
         RooflineSection(document) + AdviceSection(document) + MissingSection(document);
}

}  // namespace ridgeline::report
