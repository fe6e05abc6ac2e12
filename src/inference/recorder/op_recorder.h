#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "profiles/operators/recording.h"

namespace ridgeline::inference {

struct RecorderOptions {
  bool shapes = false;  // Of the inputs, and the FLOPs that follow from them.
  bool memory = false;
  bool stacks = false;  // C++ frames.
  // Events per thread; beyond that the oldest are dropped (their sums are kept).
  size_t limit_bytes = size_t{256} << 20;
};

// Records, while it lives, every operator that any thread hands to libtorch's dispatcher,
// and every part of the work that has a name (Region, RECORD_FUNCTION). One at a time.
//
// libtorch's own profiler is not used for this: in a build without Kineto it takes 240 ns
// an operator and cannot write a trace.
class OpRecorder {
 public:
  explicit OpRecorder(const RecorderOptions& options);
  ~OpRecorder();
  OpRecorder(const OpRecorder&) = delete;
  OpRecorder& operator=(const OpRecorder&) = delete;

  // Ends the recording. No operator may be running on another thread.
  profiles::Recording Finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Overhead of a recorder with these options per operator, in nanoseconds; measured on
// empty operators.
double RecordingCostNs(const RecorderOptions& options);

}  // namespace ridgeline::inference
