#pragma once

#include <ATen/record_function.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "inference/recorder/call_stacks.h"
#include "inference/recorder/name_table.h"
#include "inference/recorder/op_recorder.h"
#include "inference/recorder/shape_table.h"
#include "inference/scope.h"
#include "os/ticks.h"
#include "profiles/operators/recording.h"

namespace ridgeline::inference {

// What one thread did, from the callbacks of its operators.
class ThreadRecorder {
 public:
  // All outlive it. `scopes`: nothing if nobody follows them on this thread.
  ThreadRecorder(const RecorderOptions& options, const os::TickClock& clock,
                 const ScopeTrail* scopes);
  // The ring's callback points here.
  ThreadRecorder(const ThreadRecorder&) = delete;
  ThreadRecorder& operator=(const ThreadRecorder&) = delete;

  void Begin(const at::RecordFunction& op);
  void End(const at::RecordFunction& op);

  // Memory taken (bytes > 0) or given back by whatever is open.
  void AddMemory(const void* address, int64_t bytes);

  // Moves what was recorded into `recording`, with its ids and in nanoseconds of the
  // clock, which has been calibrated.
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

  // What is added to this thread's ids.
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
