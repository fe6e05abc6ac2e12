// The field "model" of a tokenizer.json: vocabulary and merges.
#pragma once

#include "base/result.h"
#include "model_io/tokenizers/bpe.h"
#include "model_io/tokenizers/json_fields.h"
#include "model_io/tokenizers/merge_table.h"
#include "model_io/tokenizers/vocabulary.h"

namespace ridgeline::tokenizers {

struct BpeModel {
  Vocabulary vocabulary;
  MergeTable merges;
  WholePieces whole_pieces = WholePieces::kMerge;
};

// Models other than BPE, and what we lack of it, are kUnsupported: dropout, prefixes and
// suffixes of parts of words, unknown tokens and byte fallback where a byte could need
// them.
Result<BpeModel> ReadBpeModel(const JsonObject& model);

}  // namespace ridgeline::tokenizers
