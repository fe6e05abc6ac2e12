// A named phase for profilers: an NVTX range for Nsight, and a RecordFunction annotation
// for the operator recorder.
#pragma once

#include <memory>
#include <optional>

namespace at {
struct RecordFunction;
}

namespace ridgeline::inference {

// From its construction to its destruction, for recorders of operators alone.
class Annotation {
 public:
  explicit Annotation(const char* name);

 private:
  struct End {
    void operator()(at::RecordFunction* annotation) const;
  };
  // Nothing if not recording.
  std::unique_ptr<at::RecordFunction, End> annotation_;
};

// From its construction to its destruction. The name is a constant: it is registered with
// NVTX, because Nsight Systems starts and stops captures only at registered names.
class Region {
 public:
  explicit Region(const char* name);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  const bool is_seen_;
  // Ends before the range, as it began after it.
  std::optional<Annotation> annotation_;
};

// Suppresses the regions that this thread opens inside, so that a capture does not start
// in work outside the measurement.
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
