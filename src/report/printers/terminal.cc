#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/plural.h"
#include "base/utf8.h"
#include "report/printers/printers.h"
#include "report/sections/incomplete_stages.h"
#include "report/sections/summary_lines.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

constexpr size_t kMaxColumns = 100;  // Per value.

// Begins the reason of stages that are only for PyTorch, on another program.

bool IsNumber(std::string_view word) {
  return std::any_of(word.begin(), word.end(),
                     [](char c) { return c >= '0' && c <= '9'; }) &&
         word.find_first_not_of("0123456789.,+-(<>=n") == std::string_view::npos;
}

// Whether the blank is within "95 % CI", "3.11 s", "+/- 5 %" or "n=6 samples".
bool IsWithinNumber(std::string_view text, size_t blank) {
  const std::string_view before = text.substr(0, blank);
  const std::string_view word = before.substr(before.rfind(' ') + 1);
  const std::string_view rest = text.substr(blank + 1);
  return IsNumber(word) || word == "+/-" || (word == "%" && rest.starts_with("CI"));
}

// The first words of a text that fit on a line.
std::string_view FirstLine(std::string_view text) {
  const std::string_view head = HeadOf(text, kMaxColumns);
  if (head.size() == text.size()) return head;
  size_t blank = text.substr(0, head.size() + 1).rfind(' ');
  while (blank != std::string_view::npos && IsWithinNumber(text, blank)) {
    blank = text.substr(0, blank).rfind(' ');
  }
  return blank == std::string_view::npos ? head : text.substr(0, blank);
}

// Long values continue on the next line.
std::string Line(std::string_view what, std::string_view value) {
  const std::string text = Shortened(value, value.size());
  std::string lines;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = FirstLine(rest);
    lines += fmt::format("  {:<22} {}\n", lines.empty() ? what : "", line);
    rest.remove_prefix(line.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  }
  return lines;
}

// Unprofiled times of the phases shown to users, or of whole runs of a program. From
// direct_inference, or from torch_profiler if that was not run.
std::string PhaseLines(const Document& document) {
  const auto is_of = [](std::string_view stage) {
    return [stage](const PhaseRow& phase) {
      return !phase.profiled && phase.source.starts_with(stage);
    };
  };
  const bool is_direct = std::any_of(document.phases.begin(), document.phases.end(),
                                     is_of("direct_inference/"));
  const auto is_preferred = is_of(is_direct ? "direct_inference/" : "torch_profiler/");
  std::string lines;
  for (const PhaseRow& phase : document.phases) {
    const std::string& name = phase.phase;
    const bool is_shown =
        name == "end_to_end" || name == "prefill" || name == "decode" || name == "wall";
    if (!is_shown || !is_preferred(phase)) continue;
    std::string value =
        fmt::format("mean {} per {}", Time(phase.mean_s), SampleUnit(document, phase));
    value += "  " + SpreadText(MeanTimeOf(phase));
    if (phase.tokens_per_s && name == "decode") {
      value += fmt::format("  {} tokens/s", Ratio(*phase.tokens_per_s));
    }
    lines += Line(PhaseName(document, phase), value);
  }
  return lines;
}

// From the last source: direct_inference, if it has any.
std::string LatencyLines(const Document& document) {
  std::string lines;
  for (const TokenLatencyRow& row : document.token_latency) {
    if (row.source != document.token_latency.back().source) continue;
    lines += Line(row.measure, fmt::format("median {}, p99 {}, n={}", Time(row.median_s),
                                           Time(row.p99_s), WithCommas(row.count)));
  }
  return lines;
}

// MFU of the phases of the profiled call. Its time is not the mean above, so that it is
// stated too.
std::string UtilizationLine(const LedgerRow& ledger) {
  std::string text;
  for (const LedgerPhaseRow& phase : ledger.phases) {
    if (!phase.mfu) continue;
    const bool needs_name = ledger.phases.size() > 1 || phase.name != "end_to_end";
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ",
                        needs_name ? Shortened(phase.name, kMaxName) + " " : "",
                        Number(*phase.mfu, Unit::kFraction));
  }
  if (text.empty()) return "";
  const LedgerPhaseRow& call = ledger.phases.front();
  return Line(
      "MFU", fmt::format("{} ({} in {}: the same call in an unprofiled run, n={})", text,
                         TextOf(ToValue(call.flops), Unit::kFlops), Time(call.measured_s),
                         ledger.samples));
}

// Roofline of the longest phase.
std::string RoofLine(const Document& document) {
  if (!document.ledger) return "";
  if (document.ledger->flops_source == kOperatorShapes) {
    return UtilizationLine(*document.ledger);
  }
  const LedgerPhaseRow* longest = nullptr;
  for (const LedgerPhaseRow& phase : document.ledger->phases) {
    if (phase.name == "end_to_end" || !phase.roofline_slowdown) continue;
    if (longest == nullptr || phase.measured_s > longest->measured_s) longest = &phase;
  }
  if (longest == nullptr) return "";
  const PhaseLimit limit = LimitOf(*document.ledger, *longest);
  std::string text = LimitText(limit);
  if (limit.used) {
    text += fmt::format(
        ", {} {}",
        limit.roofline == cost::BoundClass::kMemory ? "MBU" : "MFU of useful FLOPs",
        PeakShare(*limit.used));
  }
  return Line("vs roofline", text);
}

// " in FILE", if another file may have such rows: rows of several tables are shown
// together.
template <typename Row>
std::string InSource(const Document& document, const std::vector<Row>& rows) {
  const std::string& source = rows.front().source;
  const bool is_clear =
      document.is_imported()
          ? document.sources.size() < 2
          : std::all_of(rows.begin(), rows.end(),
                        [&source](const Row& row) { return row.source == source; });
  return is_clear ? "" : " in " + Shortened(source, kMaxName);
}

std::string DeviceLine(const Document& document) {
  if (document.devices.empty()) return "";
  const DeviceRow& device = document.devices.front();
  const auto gpus = std::count_if(
      document.devices.begin(), document.devices.end(),
      [&device](const DeviceRow& row) { return row.source == device.source; });
  return Line(device.label() + (gpus > 1 ? fmt::format(" of {}", gpus) : ""),
              fmt::format("busy {} of {}{}", Time(device.busy_s), Time(device.span_s),
                          InSource(document, document.devices)));
}

std::string ShareText(const std::string& name, const OptionalNumber& share,
                      std::string_view of) {
  std::string text = Shortened(name, kMaxName);
  if (share) text += fmt::format(", {} of {}", Number(*share, Unit::kFraction), of);
  return text;
}

std::string OperatorLine(const Document& document) {
  if (document.operators.empty()) return "";
  const OperatorRow& first = document.operators.front();
  return Line("top operator", ShareText(first.name, first.share, "operator self time") +
                                  InSource(document, document.operators));
}

// The longest kernel of the first source, over all GPUs.
KernelRow TopKernelOf(const std::vector<KernelRow>& rows) {
  std::map<std::string, KernelRow> kernels;  // By name.
  const KernelRow* top = nullptr;
  for (const KernelRow& row : rows) {
    if (row.source != rows.front().source) continue;
    const auto [known, is_new] = kernels.try_emplace(row.name, row);
    KernelRow& sum = known->second;
    if (!is_new) {
      sum.total_s += row.total_s;
      if (sum.share && row.share) *sum.share += *row.share;
    }
    if (top == nullptr || sum.total_s > top->total_s) top = &sum;
  }
  return *top;
}

std::string KernelLine(const Document& document) {
  if (document.kernels.empty()) return "";
  const KernelRow first = TopKernelOf(document.kernels);
  // The rest is in copies, or in graphs captured as a whole.
  const double busy_s = GpuBusyTime(document, first.source);
  if (first.total_s < kMinKernelShare * busy_s) return "";
  const std::string name =
      first.short_name.empty() ? KernelName(first.name) : first.short_name;
  return Line("top kernel", ShareText(name, first.share, "kernel time") +
                                InSource(document, document.kernels));
}

// Reasons of stages are in their own lines.
std::string WarningText(const Document& document, const Advice& advice) {
  const std::vector<const StageRow*> stages = IncompleteStages(document);
  if (advice.rule != "not_complete" || stages.empty()) return advice.verdict;
  std::string names;
  for (const StageRow* stage : stages) {
    names += (names.empty() ? "" : ", ") + stage->name;
  }
  return fmt::format("{} did not complete: {}",
                     PartOf(stages.size(), document.stages.size(), "stage"), names);
}

std::string WarningLine(const Document& document) {
  for (const Advice& advice : document.advice) {
    if (advice.doubt) return Line("warning", WarningText(document, advice));
  }
  return "";
}

// Verdict and action of the first finding. The share of the top operator is in its own
// line.
std::string AdviceLine(const Document& document) {
  const auto first = std::find_if(document.advice.begin(), document.advice.end(),
                                  [](const Advice& advice) { return !advice.doubt; });
  if (first == document.advice.end()) return "";
  std::string verdict = first->verdict;
  std::string_view separator = ". ";
  if (first->rule == "top_operator" && !document.operators.empty()) {
    const std::string name = Shortened(document.operators.front().name, kMaxName);
    if (verdict.find(name) != std::string::npos) {
      verdict = name;
      separator = ": ";
    }
  }
  if (!first->action.empty()) verdict += fmt::format("{}{}", separator, first->action);
  return Line("advice", verdict);
}

}  // namespace

std::string ToTerminal(const Document& document) {
  return PhaseLines(document) + LatencyLines(document) + RoofLine(document) +
         DeviceLine(document) + OperatorLine(document) + KernelLine(document) +
         WarningLine(document) + AdviceLine(document);
}

}  // namespace ridgeline::report
