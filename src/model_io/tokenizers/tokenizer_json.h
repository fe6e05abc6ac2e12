// Hugging Face's tokenizer.json, as far as a byte-level BPE needs it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model_io/tokenizers/added_tokens.h"
#include "model_io/tokenizers/bpe.h"
#include "model_io/tokenizers/json_fields.h"
#include "model_io/tokenizers/pretokenizer.h"
#include "model_io/tokenizers/vocabulary.h"

namespace ridgeline::tokenizers {

// The field "model" of a tokenizer.json: vocabulary and merges.

struct BpeModel {
  Vocabulary vocabulary;
  MergeTable merges;
  WholePieces whole_pieces = WholePieces::kMerge;
};

// Models other than BPE, and what we lack of it, are kUnsupported: dropout, prefixes and
// suffixes of parts of words, unknown tokens and byte fallback where a byte could need
// them.
Result<BpeModel> ReadBpeModel(const JsonObject& model);

// A part of what special tokens make of a text: either the text or tokens.
struct TemplatePart {
  enum class Kind { kText, kSpecialTokens };
  Kind kind = Kind::kText;
  std::vector<int32_t> ids;  // Of the special tokens.
};

// Contents of the file, validated field by field.
struct TokenizerFile {
  BpeModel model;  // Its vocabulary holds the added tokens, too.
  std::vector<AddedToken> added_tokens;
  PretokenizerSpec pretokenizer;
  std::vector<TemplatePart> special_template;  // Empty: nothing is added.
};

// kParse for files that are not tokenizer.json, kUnsupported for missing features:
// normalizers, truncation, padding, and types of parts other than those that byte-level
// models have. Files of more than 256 MiB are kUnsupported.
Result<TokenizerFile> ParseTokenizerJson(std::string_view bytes);

// The largest file that ParseTokenizerJson() takes.
inline constexpr int64_t kTokenizerJsonBytesMax = 256 << 20;

}  // namespace ridgeline::tokenizers
