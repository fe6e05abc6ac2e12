// Remembers the ids of short pieces. Text repeats its words, and merging one anew costs
// ten times as much as finding it here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace ridgeline::tokenizers {

// Of a fixed size: each piece has one place, and the last that came there stays. One
// thread at a time.
class PieceCache {
 public:
  // One place; as long as a line of the processor's cache.
  struct alignas(64) Entry {
    static constexpr size_t kPieceSizeMax = 32;
    static constexpr size_t kIdCountMax = 7;

    std::array<uint64_t, kPieceSizeMax / sizeof(uint64_t)> piece{};  // Padded with zeros.
    std::array<int32_t, kIdCountMax> id_list{};
    uint8_t piece_size = 0;  // 0: holds nothing.
    uint8_t id_count = 0;

    std::span<const int32_t> ids() const { return {id_list.data(), id_count}; }
  };

  PieceCache() : entries_(kEntryCount) {}

  // The ids of the piece: from memory, or as `encode(piece, ids)` appends them to `ids`.
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
  // 1 MiB: the words of a long text, in the second level of the processor's cache.
  static constexpr size_t kEntryCount = 1 << 14;

  static size_t PlaceOf(const Entry& wanted);
  static void Keep(Entry& wanted, std::span<const int32_t> ids, Entry& entry);

  std::vector<Entry> entries_;
};

}  // namespace ridgeline::tokenizers
