// Text to the ids of tokens and back, as Hugging Face's tokenizers do it for byte-level
// BPE: GPT-2, Llama 3, Qwen and their kin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::tokenizers {

struct EncodeOptions {
  // Whether the ids are set between the special tokens that the file wants around a
  // text, such as the one that begins it. Special tokens that are in the text are
  // always found.
  bool add_special_tokens = false;
};

// What decoding does with them.
enum class SpecialTokens { kKeep, kSkip };

// Never changes; may be used by several threads at once.
class Tokenizer {
 public:
  // From a tokenizer.json. What is wrong with the file is kParse, what we do not know of
  // the format is kUnsupported; the message begins with the path.
  static Result<Tokenizer> Load(const std::filesystem::path& path);

  // The same from the bytes of the file; `origin` is its name in errors.
  static Result<Tokenizer> Parse(std::string_view bytes, std::string_view origin);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // Bytes that are not UTF-8 count as U+FFFD, one for each of what Rust's from_utf8_lossy
  // replaces. Patterns of a hostile file may need more steps than anyone would wait for:
  // after some 10 million for one match a pattern gives up, and the rest of what it was
  // cutting stays in one piece. Those of real models never need as many.
  std::vector<int32_t> Encode(std::string_view text, EncodeOptions options = {}) const;

  // Valid UTF-8: what the tokens leave unfinished or broken becomes U+FFFD. Ids that do
  // not exist are left out; models have more rows than there are tokens.
  std::string Decode(std::span<const int32_t> ids,
                     SpecialTokens special = SpecialTokens::kKeep) const;

  // Of a token as the file spells it: "Ġthe", "<image>".
  std::optional<int32_t> IdOf(std::string_view token) const;

  // Empty if there is no such id. The view lives as long as the tokenizer.
  std::string_view TokenOf(int32_t id) const;

  // The number of tokens, added ones included. Ids may have gaps.
  size_t size() const;

 private:
  struct Parts;
  explicit Tokenizer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace ridgeline::tokenizers
