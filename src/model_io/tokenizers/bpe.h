// Byte-pair encoding of one piece of text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model_io/tokenizers/merge_table.h"
#include "model_io/tokenizers/piece_cache.h"
#include "model_io/tokenizers/vocabulary.h"

namespace ridgeline::tokenizers {

enum class WholePieces {
  kMerge,         // A piece is always merged from its bytes.
  kTakeIfTokens,  // A piece that is a token is that token ("ignore_merges").
};

// What one thread needs while it encodes; keeps its memory and its words from piece to
// piece. Belongs to one Bpe.
class BpeScratch {
 private:
  friend class Bpe;

  struct Symbol {
    int32_t id = 0;
    size_t previous = 0;
    size_t next = 0;
    bool is_gone = false;  // It went into the one before it.
  };
  struct Candidate {
    Merge merge;
    size_t position = 0;  // Of the left symbol.
  };

  PieceCache cache_;
  std::vector<int32_t> ids_;
  std::vector<uint32_t> ranks_;
  std::vector<Symbol> symbols_;
  std::vector<Candidate> heap_;
  std::string spelling_;
};

// Of all neighbours that have a merge, the ones with the lowest rank, leftmost first,
// become one token, until none has.
class Bpe {
 public:
  // A byte that the vocabulary lacks is left out of every text, as in Hugging Face's
  // tokenizers without an unknown token; vocabularies of real models have all 256. The
  // vocabulary must outlive this and stay as it is.
  Bpe(const Vocabulary& vocabulary, MergeTable merges, WholePieces whole_pieces);

  // Appends the ids of the piece, any bytes.
  void Encode(std::string_view piece, BpeScratch& scratch,
              std::vector<int32_t>& ids) const;

 private:
  void EncodeAnew(std::string_view piece, BpeScratch& scratch,
                  std::vector<int32_t>& ids) const;
  void MergeShort(BpeScratch& scratch) const;
  void MergeLong(BpeScratch& scratch) const;
  uint32_t RankAt(const std::vector<int32_t>& ids, size_t position) const;
  void Propose(BpeScratch& scratch, size_t position) const;
  bool MergeNext(BpeScratch& scratch) const;

  const Vocabulary* vocabulary_;
  MergeTable merges_;
  WholePieces whole_pieces_;
  std::array<int32_t, 256> id_of_byte_{};  // Negative: the vocabulary lacks it.
};

}  // namespace ridgeline::tokenizers
