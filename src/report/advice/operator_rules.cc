#include <fmt/format.h>

#include <algorithm>

#include "estimates/scaled.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

// Shares of the self time of all operators.
constexpr double kMuchOfOneOperator = 0.25;
constexpr double kMuchConverting = 0.10;

constexpr std::string_view kConverting[] = {
    "aten::copy_", "aten::to",  "aten::_to_copy", "aten::contiguous",
    "aten::clone", "aten::cat", "aten::stack",    "aten::repeat"};

struct Attempt {
  std::string_view part;  // Of the operator's name.
  std::string_view text;
};

// The first whose part is found.
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

std::string AttemptFor(std::string_view name) {
  for (const Attempt& attempt : kAttempts) {
    if (name.find(attempt.part) != name.npos) return std::string(attempt.text);
  }
  return "See operators.md for its shapes and callers";
}

bool IsConverting(const std::string& name) {
  return std::find(std::begin(kConverting), std::end(kConverting), name) !=
         std::end(kConverting);
}

}  // namespace

Findings LongestOperator(const Row& report) {
  std::optional<Row> longest;
  double most = kMuchOfOneOperator;
  for (const Row& op : report.List("operators")) {
    const auto share = op.Number("share");
    if (!share || share->value < most) continue;
    most = share->value;
    longest = op;
  }
  if (!longest) return {};
  const std::string name = longest->Text("name");
  Finding found = {.text = fmt::format("{} takes {} of operator self time", Quoted(name),
                                       Percent(most)),
                   .attempt = AttemptFor(name),
                   .evidence = {longest->PointerTo("share")}};
  const auto self = longest->Number("self_s");
  const auto calls = longest->Number("calls");
  if (self && calls) {
    found.text += fmt::format(" ({} in {:.0f} calls)", estimates::Seconds(self->value),
                              calls->value);
    found.evidence.insert(found.evidence.end(), {self->pointer, calls->pointer});
  }
  return {found};
}

Findings Conversions(const Row& report) {
  constexpr size_t kMostNamed = 3;
  double share = 0;
  double seconds = 0;
  std::string names;
  Finding found;
  for (const Row& op : report.List("operators")) {
    const auto part = op.Number("share");
    const auto self = op.Number("self_s");
    if (!part || !self || !IsConverting(op.Text("name"))) continue;
    if (found.evidence.size() < 2 * kMostNamed) {
      names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", op.Text("name"),
                           estimates::Seconds(self->value));
    }
    share += part->value;
    seconds += self->value;
    found.evidence.insert(found.evidence.end(), {part->pointer, self->pointer});
  }
  if (share < kMuchConverting) return {};
  found.text =
      fmt::format("Copies and layout conversions take {} of operator self time: {}",
                  Percent(share), names);
  found.attempt =
      "Keep tensors in the dtype and layout used for compute, and write caches in place";
  found.gain_s = GainOf(seconds);
  return {found};
}

}  // namespace ridgeline::report
