// A named phase for profilers: an NVTX range for Nsight, and a RecordFunction annotation
// for the operator recorder.
#pragma once

#include <memory>
#include <optional>

namespace at {
struct RecordFunction;
}

namespace ridgeline::inference {

// Lasts from construction to destruction; for operator recorders only.
class Annotation {
 public:
  explicit Annotation(const char* name);

 private:
  struct End {
    void operator()(at::RecordFunction* annotation) const;
  };
  // Null if not recording.
  std::unique_ptr<at::RecordFunction, End> annotation_;
};

// Lasts from construction to destruction. The name is a constant that is registered with
// NVTX, because Nsight Systems starts and stops captures only at registered names.
class Region {
 public:
  explicit Region(const char* name);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  const bool is_seen_;
  // Ends before the range, because it began after it.
  std::optional<Annotation> annotation_;
};

// Suppresses regions opened by this thread inside it, so that a capture does not start in
// work outside the measurement.
class ClosedRegion {
 public:
  explicit ClosedRegion(const char* name);
  ~ClosedRegion();
  ClosedRegion(const ClosedRegion&) = delete;
  ClosedRegion& operator=(const ClosedRegion&) = delete;

 private:
  const Region region_;
};

}  // namespace ridgeline::inference
