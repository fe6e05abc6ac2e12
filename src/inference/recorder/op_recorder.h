#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "profiles/operators/recording.h"

namespace ridgeline::inference {

struct RecorderOptions {
  bool shapes = false;  // Input shapes, and the FLOPs derived from them.
  bool memory = false;
  bool stacks = false;  // C++ frames.
  // Event buffer per thread; when full, the oldest are dropped (their sums are kept).
  size_t limit_bytes = size_t{256} << 20;
};

// While it exists, records every operator that any thread passes to libtorch's
// dispatcher, and every annotation (Region, RECORD_FUNCTION). One at a time.
//
// libtorch's own profiler is not used for this: in a build without Kineto it takes 240 ns
// per operator and cannot write a trace.
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
