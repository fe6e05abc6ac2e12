// How did the GPUs of an nsys export spend their time?
#pragma once

#include <vector>

#include "results/nsys_rows.h"
#include "results/rows.h"

namespace ridgeline::analysis {

struct NsysDevice {
  results::DeviceTime time;            // As of traces: see device_time.h.
  int64_t busy_kernels_graphs_ns = 0;  // A kernel or a graph runs.
  int64_t kernel_span_ns = 0;          // From the first kernel to the last.
  int64_t kernel_idle_ns = 0;          // No kernel runs in it.
};

// One per device, in the order of NsysRows::devices. Graphs that were measured as a
// whole count as busy, and neither as compute nor as kernels: nobody knows what was in
// them.
std::vector<NsysDevice> NsysDevices(const results::NsysRows& rows);

}  // namespace ridgeline::analysis
