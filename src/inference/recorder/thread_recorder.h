#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "inference/recorder/op_recorder.h"
#include "inference/scope.h"
#include "os/ticks.h"
#include "profiles/operators/recording.h"

namespace ridgeline::inference {

// Caches operator names by address, which is constant per operator; user-defined names
// may reuse an address, so the text is compared as well.
class NameTable {
 public:
  uint32_t Find(const char* name) {
    Slot& slot = cache_[(reinterpret_cast<uintptr_t>(name) >> 4) % cache_.size()];
    if (slot.address == name && std::strcmp(name, slot.text) == 0) return slot.id;
    const auto [found, is_new] = ids_.try_emplace(name, ids_.size());
    slot = {name, found->first.c_str(), found->second};
    return found->second;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names(ids_.size());
    for (const auto& [name, id] : ids_) names[id] = name;
    return names;
  }

 private:
  struct Slot {
    const char* address = nullptr;
    const char* text = nullptr;
    uint32_t id = 0;
  };
  std::array<Slot, 1024> cache_;
  std::unordered_map<std::string, uint32_t> ids_;
};

// Unique C++ call stacks, symbolized at the end.

class CallStacks {
 public:
  // Index of the stack of the caller's caller.
  uint32_t Here();

  // Frames, innermost first, separated by ';'. The first entry is "none". A frame without
  // a symbol is "library+0x1234".
  std::vector<std::string> Names() const;

 private:
  std::map<std::vector<void*>, uint32_t> places_;
};

// Unique inputs of operators.

class ShapeTable {
 public:
  // Index of these inputs in shapes(); 0 if the table is full.
  uint32_t Find(c10::ArrayRef<const c10::IValue> inputs);

  // As text. The first entry is "none".
  std::vector<profiles::InputShapes> shapes() const;

 private:
  // Position of an entry in words_.
  struct Entry {
    uint64_t hash = 0;
    uint32_t begin = 0;
    uint32_t size = 0;
  };

  uint32_t Insert(uint64_t hash, size_t slot);
  void Grow();

  std::vector<int64_t> inputs_;  // Inputs being looked up, encoded.
  std::vector<int64_t> words_;   // All encodings, concatenated.
  std::vector<Entry> entries_ = {Entry{}};
  std::vector<uint32_t> slots_ = std::vector<uint32_t>(1024);  // Entry ids; 0: free.
};

// Events of one thread, from the callbacks of its operators.
class ThreadRecorder {
 public:
  // All arguments must outlive it. `scopes`: null if not recorded on this thread.
  ThreadRecorder(const RecorderOptions& options, const os::TickClock& clock,
                 const ScopeTrail* scopes);
  // The callback of the ring points here.
  ThreadRecorder(const ThreadRecorder&) = delete;
  ThreadRecorder& operator=(const ThreadRecorder&) = delete;

  void Begin(const at::RecordFunction& op);
  void End(const at::RecordFunction& op);

  // Memory allocated (bytes > 0) or freed by the open operator.
  void AddMemory(const void* address, int64_t bytes);

  // Moves the events into `recording`, converting ids, and times to nanoseconds of the
  // calibrated clock.
  void Finish(profiles::Recording& recording);

 private:
  // An operator that has started.
  struct Open {
    const at::RecordFunction* op = nullptr;
    int64_t start = 0;   // In ticks, like all times until Finish().
    int64_t within = 0;  // Time in nested events.
    int64_t bytes_self = 0;
    int64_t bytes_within = 0;
    uint64_t flops = 0;
    uint32_t name = 0;
    uint32_t scope = 0;
    uint32_t shapes = 0;
    uint32_t stack = 0;
    profiles::EventKind kind = profiles::EventKind::kOperator;
    bool is_counted = false;  // It or an enclosing operator has FLOPs.
  };

  // Offset of this thread's ids.
  struct Offsets {
    uint32_t names = 0;
    uint32_t shapes = 0;
    uint32_t stacks = 0;
  };

  void AddInputs(const at::RecordFunction& op, Open& open);
  bool Holds(const at::RecordFunction& op) const;
  bool IsOpen(uint32_t name) const;
  Offsets AppendNames(profiles::Recording& recording) const;
  void Translate(const Offsets& offsets, profiles::Event& event) const;
  void TranslateLost(const Offsets& offsets);

  const RecorderOptions& options_;
  const os::TickClock& clock_;
  const ScopeTrail* scopes_;
  std::vector<Open> open_;
  NameTable names_;
  ShapeTable shapes_;
  CallStacks stacks_;
  int64_t allocated_bytes_ = 0;
  profiles::RecordedThread thread_;
};

}  // namespace ridgeline::inference
