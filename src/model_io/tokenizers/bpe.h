// Byte-pair encoding of one piece of text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model_io/tokenizers/vocabulary.h"

namespace ridgeline::tokenizers {

// Caches the ids of short pieces. Words repeat, and merging costs ten times as much as a
// lookup.

// Fixed size, direct-mapped: a new piece replaces the one in its slot. One thread at a
// time.
class PieceCache {
 public:
  // One slot; as large as a cache line.
  struct alignas(64) Entry {
    static constexpr size_t kPieceSizeMax = 32;
    static constexpr size_t kIdCountMax = 7;

    std::array<uint64_t, kPieceSizeMax / sizeof(uint64_t)> piece{};  // Padded with zeros.
    std::array<int32_t, kIdCountMax> id_list{};
    uint8_t piece_size = 0;  // 0: empty.
    uint8_t id_count = 0;

    std::span<const int32_t> ids() const { return {id_list.data(), id_count}; }
  };

  PieceCache() : entries_(kEntryCount) {}

  // Appends the ids of the piece: from the cache, or with `encode(piece, ids)`.
  void Append(std::string_view piece, std::vector<int32_t>& ids, auto&& encode) {
    if (piece.empty() || piece.size() > Entry::kPieceSizeMax) return encode(piece, ids);
    Entry wanted;
    std::memcpy(wanted.piece.data(), piece.data(), piece.size());
    wanted.piece_size = static_cast<uint8_t>(piece.size());
    Entry& entry = entries_[PlaceOf(wanted)];
    if (entry.piece_size == wanted.piece_size && entry.piece == wanted.piece) {
      ids.insert(ids.end(), entry.ids().begin(), entry.ids().end());
      return;
    }
    const size_t begin = ids.size();
    encode(piece, ids);
    Keep(wanted, std::span(ids).subspan(begin), entry);
  }

 private:
  // 1 MiB: the words of a long text, within the L2 cache.
  static constexpr size_t kEntryCount = 1 << 14;

  static size_t PlaceOf(const Entry& wanted);
  static void Keep(Entry& wanted, std::span<const int32_t> ids, Entry& entry);

  std::vector<Entry> entries_;
};

// Merge rules of a byte-pair encoding: the result and priority of each pair.

struct Merge {
  uint32_t rank = 0;  // The lowest is merged first.
  int32_t id = 0;     // Resulting token.
};

class MergeTable {
 public:
  // A duplicate pair gets the later rank, as in Hugging Face's tokenizers.
  void Set(int32_t left, int32_t right, Merge merge);

  // Null if the pair does not merge.
  const Merge* Find(int32_t left, int32_t right) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[SlotOf(KeyOf(left, right))];
    return slot.key == kFree ? nullptr : &slot.merge;
  }

  size_t size() const { return size_; }

 private:
  // Not a valid key: ids are never negative.
  static constexpr uint64_t kFree = ~uint64_t{0};

  struct Slot {
    uint64_t key = kFree;
    Merge merge;
  };

  static uint64_t KeyOf(int32_t left, int32_t right) {
    return (uint64_t{static_cast<uint32_t>(left)} << 32) | static_cast<uint32_t>(right);
  }

  // The slot of the key, or the free one for it.
  size_t SlotOf(uint64_t key) const {
    // The upper half of the product with a large odd number depends on every bit.
    constexpr uint64_t kMix = 0x9E3779B97F4A7C15;
    const size_t mask = slots_.size() - 1;
    const uint64_t folded = key ^ (key >> 29);
    size_t slot = static_cast<size_t>((folded * kMix) >> 32) & mask;
    while (slots_[slot].key != key && slots_[slot].key != kFree) slot = (slot + 1) & mask;
    return slot;
  }

  void GrowIfNeeded();

  std::vector<Slot> slots_;  // A power of two, at most half full.
  size_t size_ = 0;
};

enum class WholePieces {
  kMerge,         // Pieces are always merged from bytes.
  kTakeIfTokens,  // A piece that is a token is not merged ("ignore_merges").
};

// Working memory of one encoding thread; keeps its buffers and cache between pieces.
// Belongs to one Bpe.
class BpeScratch {
 private:
  friend class Bpe;

  struct Symbol {
    int32_t id = 0;
    size_t previous = 0;
    size_t next = 0;
    bool is_gone = false;  // Merged into its predecessor.
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

// Repeatedly merges the adjacent tokens with the lowest rank, leftmost first, until no
// pair has a merge.
class Bpe {
 public:
  // Bytes missing from the vocabulary are dropped from all texts, as in Hugging Face's
  // tokenizers without an unknown token; vocabularies of real models have all 256. The
  // vocabulary must outlive this and not change.
  Bpe(const Vocabulary& vocabulary, MergeTable merges, WholePieces whole_pieces);

  // Appends the ids of the piece, which may be any bytes.
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
  std::array<int32_t, 256> id_of_byte_{};  // Negative: not in the vocabulary.
};

}  // namespace ridgeline::tokenizers
