// A part of the work that profilers see by its name: an NVTX range for Nsight, and an
// annotation for whoever records libtorch's operators.
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
  // Nothing where nobody records.
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

// A region with nothing in it, as profilers see it: regions that this thread opens inside
// are passed over. For what is no part of a measurement, so that a capture does not begin
// there.
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
