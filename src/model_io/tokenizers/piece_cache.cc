#include <algorithm>

#include "model_io/tokenizers/bpe.h"

namespace ridgeline::tokenizers {

size_t PieceCache::PlaceOf(const Entry& wanted) {
  // Random odd numbers; the upper bits of a product depend on all others.
  constexpr uint64_t kMix = 0x9E3779B97F4A7C15;
  constexpr uint64_t kMixAgain = 0xD6E8FEB86659FD93;
  uint64_t hash = wanted.piece_size;
  for (const uint64_t word : wanted.piece) hash = ((hash ^ word) * kMix) ^ (hash >> 31);
  return static_cast<size_t>((hash * kMixAgain) >> 32) % kEntryCount;
}

void PieceCache::Keep(Entry& wanted, std::span<const int32_t> ids, Entry& entry) {
  if (ids.size() > Entry::kIdCountMax) return;
  std::copy(ids.begin(), ids.end(), wanted.id_list.begin());
  wanted.id_count = static_cast<uint8_t>(ids.size());
  entry = wanted;
}

}  // namespace ridgeline::tokenizers
