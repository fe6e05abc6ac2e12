#include "model_io/tokenizers/bpe.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <utility>

#include "model_io/tokenizers/byte_alphabet.h"

namespace ridgeline::tokenizers {
namespace {

constexpr int32_t kNoId = -1;
constexpr uint32_t kNoRank = std::numeric_limits<uint32_t>::max();
constexpr size_t kNoSymbol = std::numeric_limits<size_t>::max();

// Up to this size, scanning all pairs for each merge is faster than a heap.
constexpr size_t kShortSizeMax = 64;

// Heap order, with the next merge at the front.
struct ComesLater {
  bool operator()(const auto& a, const auto& b) const {
    return std::pair(a.merge.rank, a.position) > std::pair(b.merge.rank, b.position);
  }
};

}  // namespace

Bpe::Bpe(const Vocabulary& vocabulary, MergeTable merges, WholePieces whole_pieces)
    : vocabulary_(&vocabulary), merges_(std::move(merges)), whole_pieces_(whole_pieces) {
  for (size_t byte = 0; byte < id_of_byte_.size(); ++byte) {
    id_of_byte_[byte] =
        vocabulary.IdInModel(SpellingOfByte(static_cast<uint8_t>(byte))).value_or(kNoId);
  }
}

uint32_t Bpe::RankAt(const std::vector<int32_t>& ids, size_t position) const {
  if (position + 1 >= ids.size()) return kNoRank;
  const Merge* merge = merges_.Find(ids[position], ids[position + 1]);
  return merge == nullptr ? kNoRank : merge->rank;
}

void Bpe::MergeShort(BpeScratch& scratch) const {
  std::vector<int32_t>& ids = scratch.ids_;
  std::vector<uint32_t>& ranks = scratch.ranks_;  // Of each id and its successor.
  ranks.resize(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) ranks[i] = RankAt(ids, i);
  while (ids.size() > 1) {
    const auto lowest = std::min_element(ranks.begin(), ranks.end());
    if (*lowest == kNoRank) return;
    const auto at = lowest - ranks.begin();
    const auto position = static_cast<size_t>(at);
    ids[position] = merges_.Find(ids[position], ids[position + 1])->id;
    ids.erase(ids.begin() + at + 1);
    ranks.erase(ranks.begin() + at + 1);
    ranks[position] = RankAt(ids, position);
    if (position > 0) ranks[position - 1] = RankAt(ids, position - 1);
  }
}

// Pushes the merge of a symbol with its successor, if there is one, onto the heap.
void Bpe::Propose(BpeScratch& scratch, size_t position) const {
  const auto& symbol = scratch.symbols_[position];
  if (symbol.next == kNoSymbol) return;
  const Merge* merge = merges_.Find(symbol.id, scratch.symbols_[symbol.next].id);
  if (merge != nullptr) scratch.heap_.push_back({*merge, position});
}

// Pops the best candidate off the heap and merges it, unless its symbols have changed
// since it was pushed. False if there is none.
bool Bpe::MergeNext(BpeScratch& scratch) const {
  auto& symbols = scratch.symbols_;
  auto& heap = scratch.heap_;
  const auto propose = [&](size_t position) {
    const size_t before = heap.size();
    Propose(scratch, position);
    if (heap.size() > before) std::push_heap(heap.begin(), heap.end(), ComesLater());
  };
  if (heap.empty()) return false;
  std::pop_heap(heap.begin(), heap.end(), ComesLater());
  const auto [merge, position] = heap.back();
  heap.pop_back();

  auto& left = symbols[position];
  if (left.is_gone || left.next == kNoSymbol) return true;
  auto& right = symbols[left.next];
  const Merge* current = merges_.Find(left.id, right.id);
  if (current == nullptr || current->rank != merge.rank) return true;

  left.id = merge.id;
  left.next = right.next;
  right.is_gone = true;
  if (left.next != kNoSymbol) symbols[left.next].previous = position;
  if (left.previous != kNoSymbol) propose(left.previous);
  propose(position);
  return true;
}

void Bpe::MergeLong(BpeScratch& scratch) const {
  auto& symbols = scratch.symbols_;
  const size_t count = scratch.ids_.size();
  symbols.clear();
  scratch.heap_.clear();
  for (size_t i = 0; i < count; ++i) {
    symbols.push_back({.id = scratch.ids_[i],
                       .previous = i == 0 ? kNoSymbol : i - 1,
                       .next = i + 1 == count ? kNoSymbol : i + 1});
  }
  for (size_t i = 0; i < count; ++i) Propose(scratch, i);
  std::make_heap(scratch.heap_.begin(), scratch.heap_.end(), ComesLater());
  while (MergeNext(scratch)) {
  }
  scratch.ids_.clear();
  for (const auto& symbol : symbols) {
    if (!symbol.is_gone) scratch.ids_.push_back(symbol.id);
  }
}

void Bpe::EncodeAnew(std::string_view piece, BpeScratch& scratch,
                     std::vector<int32_t>& ids) const {
  if (whole_pieces_ == WholePieces::kTakeIfTokens) {
    scratch.spelling_.clear();
    AppendSpelling(piece, scratch.spelling_);
    if (const auto id = vocabulary_->IdInModel(scratch.spelling_)) {
      ids.push_back(*id);
      return;
    }
  }
  scratch.ids_.clear();
  for (const char byte : piece) {
    const int32_t id = id_of_byte_[static_cast<uint8_t>(byte)];
    if (id != kNoId) scratch.ids_.push_back(id);
  }
  if (scratch.ids_.size() <= kShortSizeMax) {
    MergeShort(scratch);
  } else {
    MergeLong(scratch);
  }
  ids.insert(ids.end(), scratch.ids_.begin(), scratch.ids_.end());
}

void Bpe::Encode(std::string_view piece, BpeScratch& scratch,
                 std::vector<int32_t>& ids) const {
  scratch.cache_.Append(piece, ids, [&](std::string_view text, std::vector<int32_t>& to) {
    EncodeAnew(text, scratch, to);
  });
}

}  // namespace ridgeline::tokenizers
