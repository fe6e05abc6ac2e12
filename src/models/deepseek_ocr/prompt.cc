#include "models/deepseek_ocr/prompt.h"

#include <algorithm>
#include <array>

namespace ridgeline::models::deepseek_ocr {
namespace {

constexpr std::string_view kImage = "<image>";

// Characters removed by Python's str.strip(), in UTF-8.
constexpr std::array<std::string_view, 29> kBlanks = {" ",
                                                      "\t",
                                                      "\n",
                                                      "\r",
                                                      "\v",
                                                      "\f",
                                                      "\x1c",
                                                      "\x1d",
                                                      "\x1e",
                                                      "\x1f",
                                                      "\xc2\x85",
                                                      "\xc2\xa0",
                                                      "\xe1\x9a\x80",
                                                      "\xe2\x80\x80",
                                                      "\xe2\x80\x81",
                                                      "\xe2\x80\x82",
                                                      "\xe2\x80\x83",
                                                      "\xe2\x80\x84",
                                                      "\xe2\x80\x85",
                                                      "\xe2\x80\x86",
                                                      "\xe2\x80\x87",
                                                      "\xe2\x80\x88",
                                                      "\xe2\x80\x89",
                                                      "\xe2\x80\x8a",
                                                      "\xe2\x80\xa8",
                                                      "\xe2\x80\xa9",
                                                      "\xe2\x80\xaf",
                                                      "\xe2\x81\x9f",
                                                      "\xe3\x80\x80"};

std::string_view Stripped(std::string_view text) {
  const auto begins = [&text](std::string_view blank) { return text.starts_with(blank); };
  const auto ends = [&text](std::string_view blank) { return text.ends_with(blank); };
  auto found = kBlanks.begin();
  while ((found = std::find_if(kBlanks.begin(), kBlanks.end(), begins)) !=
         kBlanks.end()) {
    text.remove_prefix(found->size());
  }
  while ((found = std::find_if(kBlanks.begin(), kBlanks.end(), ends)) != kBlanks.end()) {
    text.remove_suffix(found->size());
  }
  return text;
}

}  // namespace

std::vector<int64_t> BuildPrompt(std::string_view text, const PromptOptions& options,
                                 const EncodeText& encode) {
  text = Stripped(text);
  const size_t first = text.find(kImage);
  const size_t last = text.rfind(kImage);
  const bool has_image = first != std::string_view::npos;
  const std::string_view before = has_image ? text.substr(0, first) : text;
  const std::string_view behind = has_image ? text.substr(last + kImage.size()) : text;

  std::vector<int64_t> ids = {options.bos_id};
  const auto append = [&](std::string_view part) {
    const std::vector<int32_t> encoded = encode(part);
    ids.insert(ids.end(), encoded.begin(), encoded.end());
  };
  append(before);
  ids.insert(ids.end(), static_cast<size_t>(options.placeholders), options.image_id);
  append(behind);
  return ids;
}

}  // namespace ridgeline::models::deepseek_ocr
