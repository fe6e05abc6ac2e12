#include <utility>

#include "model_io/tokenizers/bpe.h"

namespace ridgeline::tokenizers {

void MergeTable::GrowIfNeeded() {
  constexpr size_t kSlotsAtFirst = 1024;
  if (2 * (size_ + 1) <= slots_.size()) return;
  const std::vector<Slot> old = std::exchange(
      slots_, std::vector<Slot>(slots_.empty() ? kSlotsAtFirst : 2 * slots_.size()));
  for (const Slot& slot : old) {
    if (slot.key != kFree) slots_[SlotOf(slot.key)] = slot;
  }
}

void MergeTable::Set(int32_t left, int32_t right, Merge merge) {
  GrowIfNeeded();
  Slot& slot = slots_[SlotOf(KeyOf(left, right))];
  if (slot.key == kFree) ++size_;
  slot = {.key = KeyOf(left, right), .merge = merge};
}

}  // namespace ridgeline::tokenizers
