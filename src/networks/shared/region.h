// A part of the work that profilers see by its name: an NVTX range.
#pragma once

namespace ridgeline::networks {

// From its construction to its destruction. The name is a constant: it is registered with
// NVTX, because Nsight Systems starts and stops captures only at registered names.
class Region {
 public:
  explicit Region(const char* name);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
};

}  // namespace ridgeline::networks
