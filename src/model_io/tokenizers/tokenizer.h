// Converts text to token ids and back, compatible with Hugging Face's tokenizers for
// byte-level BPE: GPT-2, Llama 3, Qwen etc.
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
  // Whether to add the special tokens that the file specifies around a text, such as the
  // one at its beginning. Special tokens in the text are always recognized.
  bool add_special_tokens = false;
};

// How decoding handles them. Some tokenizers list <table>, <tr> and <td> as special;
// without these tags the text has no tables.
enum class SpecialTokens { kKeep, kSkip, kSkipAllButTableTags };

// Immutable and thread-safe.
class Tokenizer {
 public:
  // From a tokenizer.json. Invalid files are kParse, unsupported features are
  // kUnsupported; the message begins with the path.
  static Result<Tokenizer> Load(const std::filesystem::path& path);

  // The same from the contents of the file; `origin` is its name in errors.
  static Result<Tokenizer> Parse(std::string_view bytes, std::string_view origin);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // Invalid UTF-8 is replaced with U+FFFD, like Rust's from_utf8_lossy. Patterns of a
  // hostile file may take excessively long: after some 10 million steps for one match a
  // pattern gives up, and the rest of its text stays in one piece. Those of real models
  // never need as many.
  std::vector<int32_t> Encode(std::string_view text, EncodeOptions options = {}) const;

  // Valid UTF-8: incomplete or invalid bytes of tokens become U+FFFD. Unknown ids are
  // skipped; models have more rows than there are tokens.
  std::string Decode(std::span<const int32_t> ids,
                     SpecialTokens special = SpecialTokens::kKeep) const;

  // Id of a token as spelled in the file: "Ġthe", "<image>".
  std::optional<int32_t> IdOf(std::string_view token) const;

  // Empty if there is no such id. The view is valid as long as the tokenizer.
  std::string_view TokenOf(int32_t id) const;

  // Number of tokens, including added ones. Ids may have gaps.
  size_t size() const;

 private:
  struct Parts;
  explicit Tokenizer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace ridgeline::tokenizers
