#include <algorithm>
#include <utility>

#include "profiles/operators/recording.h"

namespace ridgeline::profiles {

EventRing::EventRing(size_t limit_bytes, size_t ready_bytes, OnLoss on_loss)
    : most_chunks_(std::max<size_t>(1, limit_bytes / kChunkBytes)),
      on_loss_(std::move(on_loss)) {
  const size_t ready = std::min(most_chunks_, ready_bytes / kChunkBytes);
  while (chunks_.size() < ready && AddChunk()) {
  }
}

bool EventRing::AddChunk() {
  os::PageMemory chunk(kChunkBytes);
  if (chunk.bytes() == 0) return false;
  chunks_.push_back(std::move(chunk));
  return true;
}

void EventRing::StartChunk() {
  if (used_ == chunks_.size() && chunks_.size() < most_chunks_ && !AddChunk()) {
    most_chunks_ = chunks_.size();
  }
  if (chunks_.empty()) {
    ++lost_;
    return;
  }
  if (used_ == chunks_.size()) {
    Event* const lost = ChunkAt(0);
    if (on_loss_) std::for_each(lost, lost + kChunkEvents, on_loss_);
    lost_ += kChunkEvents;
    oldest_ = (oldest_ + 1) % chunks_.size();
    --used_;
  }
  next_ = ChunkAt(used_++);
  end_ = next_ + kChunkEvents;
}

size_t EventRing::size() const {
  return used_ == 0 ? 0 : used_ * kChunkEvents - static_cast<size_t>(end_ - next_);
}

}  // namespace ridgeline::profiles
