// A part of the work that profilers see by its name: an NVTX range for Nsight, and an
// annotation for whoever records libtorch's operators.
#pragma once

#include <memory>
#include <optional>

namespace at {
struct RecordFunction;
}

namespace ridgeline::networks {

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
  // Ends before the range, as it began after it.
  std::optional<Annotation> annotation_;
};

}  // namespace ridgeline::networks
