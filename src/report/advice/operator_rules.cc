#include <fmt/format.h>

#include <algorithm>

#include "estimates/scaled.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

// Of the self time of all operators.
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
     "it is fused already: fewer tokens, a smaller type, or a later version "
     "of its kernel"},
    {"conv", "try channels-last tensors, a smaller type, or patches as one product"},
    {"softmax", "use a fused attention, which needs no softmax of its own"},
    {"norm", "fuse it with the addition before it"},
    {"mm",
     "it is the products themselves: a smaller type, more rows at once (several "
     "pages), or a library that knows this processor"},
    {"linear", "it is the products themselves: a smaller type or more rows at once"},
    {"cat",
     "write to a tensor that was allocated once, in the place of a longer one "
     "each time"},
    {"copy",
     "find what it converts: tensors in the type and order that is computed with "
     "need no copies"},
    {"index", "gather once per step, not once per layer"},
    {"item", "it waits for the device: read values back once per step"},
};

std::string AttemptFor(std::string_view name) {
  for (const Attempt& attempt : kAttempts) {
    if (name.find(attempt.part) != name.npos) return std::string(attempt.text);
  }
  return "see in operators.md with which shapes it is called, and who calls it";
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
  Finding found = {.text = fmt::format("{} is {} of the time of all operators",
                                       Quoted(name), Percent(most)),
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
  found.text = fmt::format(
      "operators that only convert or move tensors are {} of the "
      "time of all operators: {}",
      Percent(share), names);
  found.attempt = fmt::format(
      "keep tensors in the type and order that is computed with, and write caches in "
      "place: {} is what they cost in all",
      estimates::Seconds(seconds));
  found.gain_s = GainOf(seconds);
  return {found};
}

}  // namespace ridgeline::report
