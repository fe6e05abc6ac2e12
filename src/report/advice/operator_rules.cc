#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"
#include "report/value_text.h"
#include "results/rows.h"

namespace ridgeline::report {
namespace {

// Shares of the self time of all operators.
constexpr double kMuchOfOneOperator = 0.25;
constexpr double kMuchConverting = 0.10;

constexpr std::string_view kConverting[] = {
    "aten::copy_", "aten::to",  "aten::_to_copy", "aten::contiguous",
    "aten::clone", "aten::cat", "aten::stack",    "aten::repeat"};

struct Attempt {
  std::string_view part;  // Substring of the operator's name.
  std::string_view text;
};

// What takes at least half of the time dominates.
constexpr std::string_view kGemms = "GEMMs dominate";
constexpr double kDominant = 0.5;

// The first match wins.
constexpr Attempt kAttempts[] = {
    {"attention",
     "Already fused: reduce the number of tokens, lower the precision or update the "
     "attention kernel"},
    {"conv", "Use channels-last tensors, a lower precision, or one GEMM for all patches"},
    {"softmax", "Use fused attention (scaled_dot_product_attention)"},
    {"norm", "Fuse it with the preceding addition"},
    {"mm",
     "GEMMs dominate: lower the precision, raise the batch size, or use a BLAS tuned for "
     "this processor"},
    {"linear", "GEMMs dominate: lower the precision or raise the batch size"},
    {"cat", "Write into a preallocated tensor instead of concatenating each time"},
    {"copy",
     "Find its callers and keep tensors in the dtype and layout used for compute"},
    {"index", "Gather once per step, not once per layer"},
    {"item", "It synchronizes with the device: read values back once per step"},
};

// What is recorded about an operator by default is its name.
std::string HowToFind(const Document& document) {
  if (document.is_imported()) {
    return "Find its shapes and callers: torch.profiler.profile(record_shapes=True, "
           "with_stack=True) and key_averages(group_by_input_shape=True)";
  }
  return "Find its shapes (operators.md) and callers (the trace): set "
         "pipeline.torch_profiler.record_shapes=true "
         "pipeline.torch_profiler.group_by_input_shape=true "
         "pipeline.torch_profiler.with_stack=true";
}

std::string AttemptFor(const Document& document, std::string_view name, double share) {
  for (const Attempt& attempt : kAttempts) {
    if (name.find(attempt.part) == name.npos) continue;
    const std::string_view verb = attempt.text.substr(0, kGemms.size());
    const bool is_claim = verb == kGemms && share < kDominant;
    if (!is_claim) return std::string(attempt.text);
    return "Speed up its GEMMs" + std::string(attempt.text.substr(kGemms.size()));
  }
  return HowToFind(document);
}

bool IsConverting(const std::string& name) {
  return std::find(std::begin(kConverting), std::end(kConverting), name) !=
         std::end(kConverting);
}

bool HasKernels(const Document& document, const std::string& source) {
  return std::any_of(document.devices.begin(), document.devices.end(),
                     [&source](const DeviceRow& device) {
                       return device.source == source && device.busy_kernels_s > 0;
                     });
}

// Shares of a pass that the profiler dominates are those of the profiler.
bool IsMostlyProfiler(const Document& document, const std::string& source) {
  return ProfilerDominates(document) && source.starts_with("torch_profiler/");
}

// Time of the work that the operators are part of: the longest of the outermost
// annotations (a step, a collective), each of which takes no longer than the capture.
// 0: no annotations.
double LongestAnnotation(const Document& document, const std::string& source) {
  double longest_s = 0;
  for (const RegionRow& region : document.regions) {
    if (region.source != source || !region.is_annotation()) continue;
    if (results::IsOutermostRegion(region.path)) {
      longest_s = std::max(longest_s, region.cpu_s);
    }
  }
  return longest_s;
}

}  // namespace

std::vector<Advice> TopOperator(const Document& document) {
  const OperatorRow* longest = nullptr;
  double most = kMuchOfOneOperator;
  for (const OperatorRow& op : document.operators) {
    if (!op.share || *op.share < most) continue;
    if (IsConverting(op.name)) continue;  // Covered by Conversions.
    if (IsMostlyProfiler(document, op.source)) continue;
    most = *op.share;
    longest = &op;
  }
  if (longest == nullptr) return {};
  const double whole_s = LongestAnnotation(document, longest->source);
  // Operators of a program that waits for something else are not worth tuning.
  if (longest->self_s < kMuchOfOneOperator * whole_s) return {};
  return {{.verdict = fmt::format("{} takes {} of operator self time ({} in {})",
                                  Quoted(longest->name), Percent(most),
                                  Time(longest->self_s), Plural(longest->calls, "call")),
           .action = AttemptFor(document, longest->name, most),
           .evidence = {Cite(document.operators, *longest, &OperatorRow::share),
                        Cite(document.operators, *longest, &OperatorRow::self_s),
                        Cite(document.operators, *longest, &OperatorRow::calls)}}};
}

// In the source in which they take the largest share: shares of two sources cannot be
// added.
std::vector<Advice> Conversions(const Document& document) {
  constexpr size_t kMaxNamed = 3;
  struct Converting {
    double share = 0;
    double seconds = 0;
    std::vector<const OperatorRow*> operators;
  };
  std::map<std::string, Converting> by_source;
  for (const OperatorRow& op : document.operators) {
    if (!op.share || !IsConverting(op.name)) continue;
    // Their CPU self time is launch overhead: see layout_conversion for GPU time.
    if (HasKernels(document, op.source) || IsMostlyProfiler(document, op.source))
      continue;
    Converting& converting = by_source[op.source];
    converting.share += *op.share;
    converting.seconds += op.self_s;
    converting.operators.push_back(&op);
  }
  const auto worst = std::max_element(
      by_source.begin(), by_source.end(),
      [](const auto& a, const auto& b) { return a.second.share < b.second.share; });
  if (worst == by_source.end() || worst->second.share < kMuchConverting) return {};
  const Converting& converting = worst->second;
  Advice advice;
  std::string names;
  for (const OperatorRow* op : converting.operators) {
    if (advice.evidence.size() < 2 * kMaxNamed) {
      names +=
          fmt::format("{}{} ({})", names.empty() ? "" : ", ", op->name, Time(op->self_s));
    }
    AddTo(advice.evidence, {Cite(document.operators, *op, &OperatorRow::share),
                            Cite(document.operators, *op, &OperatorRow::self_s)});
  }
  advice.verdict =
      fmt::format("Copies and layout conversions take {} of operator self time: {}",
                  Percent(converting.share), names);
  advice.action =
      "Keep tensors in the dtype and layout used for compute, and write caches in place";
  advice.saving_s = SavingOf(converting.seconds);
  return {advice};
}

}  // namespace ridgeline::report
