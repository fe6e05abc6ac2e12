// Any file either is refused or is a tokenizer whose texts come back. The input is a
// tokenizer.json, then a line ">", then a text:
//
//   {"model": ...}
//   >
//   Hello
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "model_io/tokenizers/tokenizer.h"
#include "tests/fuzz/fuzz.h"

namespace tokenizer_fuzz {

using ridgeline::IsValidUtf8;
using ridgeline::Result;
using ridgeline::ToValidUtf8;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;
using ridgeline::tokenizers::SpecialTokens;
using ridgeline::tokenizers::Tokenizer;

void CheckText(const Tokenizer& tokenizer, std::string_view text) {
  const std::vector<int32_t> ids = tokenizer.Encode(text);
  Require(tokenizer.Encode(text) == ids);               // From memory now.
  Require(tokenizer.Encode(ToValidUtf8(text)) == ids);  // Repaired in the same way.
  for (const int32_t id : ids) {
    Require(!tokenizer.TokenOf(id).empty());
    Require(tokenizer.IdOf(tokenizer.TokenOf(id)) == id);
  }
  const std::string decoded = tokenizer.Decode(ids);
  Require(IsValidUtf8(decoded));
  Require(tokenizer.Decode(ids, SpecialTokens::kSkip).size() <= 3 * decoded.size());
  Require(tokenizer.Encode(text, {.add_special_tokens = true}).size() >= ids.size());
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view input = AsText(data, size);
  constexpr std::string_view kSeparator = "\n>\n";
  const size_t separator = input.find(kSeparator);
  const std::string_view json = input.substr(0, separator);
  const std::string_view text = separator == std::string_view::npos
                                    ? std::string_view()
                                    : input.substr(separator + kSeparator.size());
  const Result<Tokenizer> tokenizer = Tokenizer::Parse(json, "tokenizer.json");
  if (!tokenizer.ok()) {
    Require(tokenizer.error().message().starts_with("tokenizer.json: "));
    return 0;
  }
  CheckText(tokenizer.value(), text);
  return 0;
}

}  // namespace tokenizer_fuzz

RIDGELINE_FUZZ_TARGET(tokenizer_fuzz)
