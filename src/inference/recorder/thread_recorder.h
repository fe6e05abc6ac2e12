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

// Names of operators by their address, which stays the same for an operator; a name of
// somebody's own may be another one at the same address, so that it is compared.
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

// C++ call stacks, each different one kept once, turned into text at the end.

class CallStacks {
 public:
  // The place of the stack of the caller's caller.
  uint32_t Here();

  // Frames, the innermost first, with ';' between. The first is "none". A frame without a
  // symbol is "library+0x1234".
  std::vector<std::string> Names() const;

 private:
  std::map<std::vector<void*>, uint32_t> places_;
};

// The inputs of operators, each different one kept once.

class ShapeTable {
 public:
  // The place of these inputs in shapes(); 0 once the table is full.
  uint32_t Find(c10::ArrayRef<const c10::IValue> inputs);

  // As text. The first is "none".
  std::vector<profiles::InputShapes> shapes() const;

 private:
  // Where in words_ one of them is.
  struct Entry {
    uint64_t hash = 0;
    uint32_t begin = 0;
    uint32_t size = 0;
  };

  uint32_t Insert(uint64_t hash, size_t slot);
  void Grow();

  std::vector<int64_t> inputs_;  // The ones that are looked for, encoded.
  std::vector<int64_t> words_;   // All encodings, one after the other.
  std::vector<Entry> entries_ = {Entry{}};
  std::vector<uint32_t> slots_ = std::vector<uint32_t>(1024);  // Of entries; 0: free.
};

// What one thread did, from the callbacks of its operators.
class ThreadRecorder {
 public:
  // All outlive it. `scopes`: nothing if they are not recorded on this thread.
  ThreadRecorder(const RecorderOptions& options, const os::TickClock& clock,
                 const ScopeTrail* scopes);
  // The ring's callback points here.
  ThreadRecorder(const ThreadRecorder&) = delete;
  ThreadRecorder& operator=(const ThreadRecorder&) = delete;

  void Begin(const at::RecordFunction& op);
  void End(const at::RecordFunction& op);

  // Memory taken (bytes > 0) or given back by whatever is open.
  void AddMemory(const void* address, int64_t bytes);

  // Moves the events into `recording`, with its ids and in nanoseconds of the calibrated
  // clock.
  void Finish(profiles::Recording& recording);

 private:
  // An operator that has begun.
  struct Open {
    const at::RecordFunction* op = nullptr;
    int64_t start = 0;   // Ticks, as all times until Finish().
    int64_t within = 0;  // Of the events that it holds.
    int64_t bytes_self = 0;
    int64_t bytes_within = 0;
    uint64_t flops = 0;
    uint32_t name = 0;
    uint32_t scope = 0;
    uint32_t shapes = 0;
    uint32_t stack = 0;
    profiles::EventKind kind = profiles::EventKind::kOperator;
    bool is_counted = false;  // It, or one that it is within, has FLOPs.
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
