// Any text: the parser must neither crash nor contradict itself.
#include <string_view>

#include "config/tree/interpolation_parser.h"
#include "tests/fuzz/fuzz.h"

namespace interpolation_fuzz {

using namespace ridgeline::config;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

// An interpolation, cut out of the text, is the same interpolation again.
void CheckSources(const Text& text) {
  for (const TextPart& part : text.parts) {
    const auto* interpolation = std::get_if<InterpolationPtr>(&part);
    if (interpolation == nullptr) {
      Require(!std::get<std::string>(part).empty());
      continue;
    }
    const auto again = ParseText((*interpolation)->source);
    Require(again.ok() && again.value().parts.size() == 1);
    const auto& same = std::get<InterpolationPtr>(again.value().parts[0]);
    Require(same->source == (*interpolation)->source);
    Require(same->form.index() == (*interpolation)->form.index());
  }
}

void CheckElement(std::string_view text, const Element& element) {
  Require(element.source == text);
  const auto* list = std::get_if<ListLiteral>(&element.form);
  if (list == nullptr) return;
  for (const Element& item : list->items) {
    if (!item.source.empty()) Require(ParseElement(item.source).ok());
  }
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  const auto parsed = ParseText(text);
  if (parsed.ok()) {
    Require(!parsed.value().parts.empty());
    Require(CheckStoredText(text).ok());
    CheckSources(parsed.value());
  } else if (!text.empty()) {
    Require(HoldsInterpolation(text));
  }
  const auto element = ParseElement(text);
  if (element.ok()) CheckElement(text, element.value());
  return 0;
}

}  // namespace interpolation_fuzz

RIDGELINE_FUZZ_TARGET(interpolation_fuzz)
