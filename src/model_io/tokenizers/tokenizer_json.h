// Hugging Face's tokenizer.json, as far as needed for byte-level BPE.
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

// Models other than BPE and unsupported features are kUnsupported: dropout, prefixes and
// suffixes of subwords, unknown tokens and byte fallback if a byte could need them.
Result<BpeModel> ReadBpeModel(const JsonObject& model);

// Part of the template for special tokens: either the text or tokens.
struct TemplatePart {
  enum class Kind { kText, kSpecialTokens };
  Kind kind = Kind::kText;
  std::vector<int32_t> ids;  // Of the special tokens.
};

// Contents of the file, validated field by field.
struct TokenizerFile {
  BpeModel model;  // Its vocabulary includes the added tokens.
  std::vector<AddedToken> added_tokens;
  PretokenizerSpec pretokenizer;
  std::vector<TemplatePart> special_template;  // Empty: nothing is added.
};

// kParse for files that are not a tokenizer.json, kUnsupported for unsupported features:
// normalizers, truncation, padding, and types that byte-level models do not use. Files of
// more than 256 MiB are kUnsupported.
Result<TokenizerFile> ParseTokenizerJson(std::string_view bytes);

// Limit of ParseTokenizerJson().
inline constexpr int64_t kTokenizerJsonBytesMax = 256 << 20;

}  // namespace ridgeline::tokenizers
