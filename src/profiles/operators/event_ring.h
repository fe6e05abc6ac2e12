// Events in the order in which they ended, with a hard limit of memory: beyond it the
// oldest make room.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "os/page_memory.h"
#include "profiles/operators/event.h"

namespace ridgeline::profiles {

class EventRing {
 public:
  static constexpr size_t kChunkEvents = 8192;
  static constexpr size_t kChunkBytes = kChunkEvents * sizeof(Event);

  // Takes what is about to be lost.
  using OnLoss = std::function<void(const Event&)>;

  // At least one chunk. Memory is taken chunk by chunk, the first `ready_bytes` of it at
  // once. Where there is no more, the limit is what there was.
  explicit EventRing(size_t limit_bytes, size_t ready_bytes = 0, OnLoss on_loss = {});

  void Append(const Event& event) {
    if (next_ == end_) StartChunk();
    if (next_ != end_) std::construct_at(next_++, event);
  }

  size_t size() const;
  size_t lost() const { return lost_; }
  size_t memory_bytes() const { return chunks_.size() * kChunkBytes; }

  // In their order; may change them.
  template <typename Visit>
  void ForEach(const Visit& visit) {
    for (size_t i = 0; i < used_; ++i) {
      Event* const begin = ChunkAt(i);
      Event* const end = i + 1 == used_ ? next_ : begin + kChunkEvents;
      for (Event* event = begin; event != end; ++event) visit(*event);
    }
  }
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    const_cast<EventRing*>(this)->ForEach([&visit](const Event& e) { visit(e); });
  }

 private:
  // The i-th chunk in use, the oldest first.
  Event* ChunkAt(size_t i) const {
    return static_cast<Event*>(chunks_[(oldest_ + i) % chunks_.size()].begin());
  }
  void StartChunk();
  bool AddChunk();

  size_t most_chunks_;
  OnLoss on_loss_;
  std::vector<os::PageMemory> chunks_;
  size_t used_ = 0;    // Chunks with events; the last is being filled.
  size_t oldest_ = 0;  // Where in chunks_ the oldest of them is.
  size_t lost_ = 0;
  Event* next_ = nullptr;
  Event* end_ = nullptr;
};

}  // namespace ridgeline::profiles
