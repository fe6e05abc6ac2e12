#include "models/deepseek_ocr/page_markdown.h"

#include <fmt/format.h>

namespace ridgeline::models::deepseek_ocr {
namespace {

std::string WithReplaced(std::string_view text, std::string_view from,
                         std::string_view to) {
  std::string replaced;
  replaced.reserve(text.size());
  size_t begin = 0;
  size_t found = text.find(from);
  while (found != std::string_view::npos) {
    replaced += text.substr(begin, found - begin);
    replaced += to;
    begin = found + from.size();
    found = text.find(from, begin);
  }
  replaced += text.substr(begin);
  return replaced;
}

}  // namespace

std::string PageMarkdown(std::string_view text, const GroundedText& grounded) {
  std::string markdown;
  size_t begin = 0;
  size_t crops = 0;
  bool others = false;
  for (const Grounding& grounding : grounded.groundings) {
    markdown += text.substr(begin, grounding.begin - begin);
    begin = grounding.end;
    if (grounding.label != images::kImageLabel) {
      others = true;
      continue;
    }
    for (size_t i = 0; i < grounding.boxes.size(); ++i) {
      markdown += fmt::format("![]({})\n", images::CropPath(crops++));
    }
  }
  markdown += text.substr(begin);
  if (!others) return markdown;
  return WithReplaced(WithReplaced(markdown, "\\coloneqq", ":="), "\\eqqcolon", "=:");
}

}  // namespace ridgeline::models::deepseek_ocr
