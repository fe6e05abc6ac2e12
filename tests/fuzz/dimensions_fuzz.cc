// Any config.json either is refused with a message that names it, or describes a model
// whose tensors can be listed.
#include <string_view>

#include "models/deepseek_ocr/dimensions.h"
#include "models/deepseek_ocr/tensor_list.h"
#include "tests/fuzz/fuzz.h"

namespace dimensions_fuzz {

namespace ocr = ridgeline::models::deepseek_ocr;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

// A model may have as many layers and experts as its file says; listing them all is then
// only slow.
bool IsSmall(const ocr::Dimensions& d) {
  constexpr int64_t kMany = 1000;
  return d.sam.layers < kMany && d.clip.layers < kMany && d.decoder.layers < kMany / 10 &&
         d.decoder.experts < kMany / 10;
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  const auto parsed = ocr::ParseDimensions(text, "config.json");
  if (!parsed.ok()) {
    Require(parsed.error().message().starts_with("config.json"));
    return 0;
  }
  const ocr::Dimensions& d = parsed.value();
  Require(d.decoder.heads > 0 && d.decoder.hidden % d.decoder.heads == 0);
  if (IsSmall(d)) Require(!ocr::TensorList(d).empty());
  return 0;
}

}  // namespace dimensions_fuzz

RIDGELINE_FUZZ_TARGET(dimensions_fuzz)
