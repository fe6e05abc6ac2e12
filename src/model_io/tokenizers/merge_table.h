// The merges of a byte-pair encoding: which two tokens make a third, and which pair goes
// first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ridgeline::tokenizers {

struct Merge {
  uint32_t rank = 0;  // The lowest goes first.
  int32_t id = 0;     // What the two become.
};

class MergeTable {
 public:
  // A pair that comes again has the later rank, as in Hugging Face's tokenizers.
  void Set(int32_t left, int32_t right, Merge merge);

  // Null if the two do not merge.
  const Merge* Find(int32_t left, int32_t right) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[SlotOf(KeyOf(left, right))];
    return slot.key == kFree ? nullptr : &slot.merge;
  }

  size_t size() const { return size_; }

 private:
  // No key: an id is never negative.
  static constexpr uint64_t kFree = ~uint64_t{0};

  struct Slot {
    uint64_t key = kFree;
    Merge merge;
  };

  static uint64_t KeyOf(int32_t left, int32_t right) {
    return (uint64_t{static_cast<uint32_t>(left)} << 32) | static_cast<uint32_t>(right);
  }

  // The key's slot, or the free one where it would be.
  size_t SlotOf(uint64_t key) const {
    // The high half of a product with a large odd number depends on every bit.
    constexpr uint64_t kMix = 0x9E3779B97F4A7C15;
    const size_t mask = slots_.size() - 1;
    const uint64_t folded = key ^ (key >> 29);
    size_t slot = static_cast<size_t>((folded * kMix) >> 32) & mask;
    while (slots_[slot].key != key && slots_[slot].key != kFree) slot = (slot + 1) & mask;
    return slot;
  }

  void GrowIfNeeded();

  std::vector<Slot> slots_;  // A power of two, at most half of them taken.
  size_t size_ = 0;
};

}  // namespace ridgeline::tokenizers
