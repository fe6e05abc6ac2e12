// Recording: every operator of a workload with its times and, on request, shapes, stacks
// and memory. Independent of libtorch: recorders fill it; tables and traces are written
// from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "os/page_memory.h"

namespace ridgeline::profiles {

enum class EventKind : uint8_t {
  kOperator,    // Called via libtorch's dispatcher.
  kAnnotation,  // A named part of the work: a region, or the whole pass.
};

// One operator, from its call to its return. 72 bytes, because there are millions.
struct Event {
  int64_t start_ns = 0;  // Since the start of the recording.
  int64_t duration_ns = 0;
  int64_t self_ns = 0;      // Without nested events.
  int64_t bytes_self = 0;   // Allocated minus freed, without nested events.
  int64_t bytes_total = 0;  // With nested events.
  uint64_t flops = 0;       // Of GEMMs; counted for the outermost event only.
  uint32_t name = 0;        // Ids: see Recording.
  uint32_t scope = 0;
  uint32_t shapes = 0;
  uint32_t stack = 0;
  uint16_t depth = 0;  // Nesting level.
  EventKind kind = EventKind::kOperator;
  bool is_within_same_name = false;

  bool operator==(const Event&) const = default;
};

// Events in the order in which they ended, with a hard memory limit: beyond it the oldest
// are overwritten.

class EventRing {
 public:
  static constexpr size_t kChunkEvents = 8192;
  static constexpr size_t kChunkBytes = kChunkEvents * sizeof(Event);

  // Called with each event before it is overwritten.
  using OnLoss = std::function<void(const Event&)>;

  // At least one chunk. Memory is allocated chunk by chunk, the first `ready_bytes`
  // immediately. If an allocation fails, the ring keeps its size.
  explicit EventRing(size_t limit_bytes, size_t ready_bytes = 0, OnLoss on_loss = {});

  void Append(const Event& event) {
    if (next_ == end_) StartChunk();
    if (next_ != end_) std::construct_at(next_++, event);
  }

  size_t size() const;
  size_t lost() const { return lost_; }
  size_t memory_bytes() const { return chunks_.size() * kChunkBytes; }

  // In order; may change them.
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
  // The i-th chunk in use, oldest first.
  Event* ChunkAt(size_t i) const {
    return static_cast<Event*>(chunks_[(oldest_ + i) % chunks_.size()].begin());
  }
  void StartChunk();
  bool AddChunk();

  size_t most_chunks_;
  OnLoss on_loss_;
  std::vector<os::PageMemory> chunks_;
  size_t used_ = 0;    // Chunks with events; the last is being filled.
  size_t oldest_ = 0;  // Index of the oldest in chunks_.
  size_t lost_ = 0;
  Event* next_ = nullptr;
  Event* end_ = nullptr;
};

// Sums over events with the same name and inputs.
struct OperatorTotal {
  EventKind kind = EventKind::kOperator;
  int64_t calls = 0;
  int64_t self_ns = 0;
  int64_t total_ns = 0;  // A call nested in one of the same name is part of its time.
  int64_t longest_ns = 0;
  int64_t bytes_self = 0;
  int64_t bytes_total = 0;
  uint64_t flops = 0;

  OperatorTotal& operator+=(const OperatorTotal& other);
  bool operator==(const OperatorTotal&) const = default;
};

class OperatorTotals {
 public:
  struct Key {
    uint32_t name = 0;
    uint32_t shapes = 0;
    bool operator==(const Key&) const = default;
  };

  void Add(const Event& event);
  void Add(Key key, const OperatorTotal& total) { totals_[key] += total; }
  void Add(const OperatorTotals& other);
  bool empty() const { return totals_.empty(); }

  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (const auto& [key, total] : totals_) visit(key, total);
  }

 private:
  struct Hash {
    size_t operator()(const Key& key) const {
      return (uint64_t{key.name} << 32 | key.shapes) * 0x9e3779b97f4a7c15;
    }
  };
  std::unordered_map<Key, OperatorTotal, Hash> totals_;
};

// The inputs of an operator as JSON: `[[1,64],[64,64]]` and `["float","float"]`. Inputs
// that are not tensors have no sizes, `[]`.
struct InputShapes {
  std::string sizes;
  std::string types;
};

// Memory allocated (bytes > 0) or freed.
struct MemoryEvent {
  int64_t time_ns = 0;
  int64_t bytes = 0;
  int64_t address = 0;
  int64_t allocated_bytes = 0;  // By this thread since the start; may be < 0.
};

struct RecordedThread {
  int64_t id = 0;  // Of the operating system.
  EventRing events;
  // Sums of events lost from the ring.
  OperatorTotals lost;
  std::vector<MemoryEvent> memory;
  int64_t memory_lost = 0;  // Allocations and frees dropped for lack of space.
  int64_t unmatched = 0;    // Operators whose end was never seen.
};

struct Recording {
  int64_t begin_unix_ns = 0;
  int64_t duration_ns = 0;
  bool has_shapes = false;
  bool has_memory = false;
  bool has_stacks = false;
  // Names for the ids in events. The first of scopes, shapes and stacks is "none".
  std::vector<std::string> names;
  std::vector<std::string> scopes;
  std::vector<InputShapes> shapes;
  std::vector<std::string> stacks;  // Frames, innermost first, separated by ';'.
  std::vector<RecordedThread> threads;
};

}  // namespace ridgeline::profiles
