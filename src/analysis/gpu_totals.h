// Which kernels, copies and fills took the time of GPUs?
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "results/rows.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

// Adds rows up, by device and name.
class GpuTotalSum {
 public:
  void Add(const results::GpuTotal& part);

  // The longest first; of equal times by name, then device.
  std::vector<results::GpuTotal> LongestFirst(const StringPool& names) const;
  // In any order.
  std::vector<results::GpuTotal> Unsorted() const;

 private:
  std::unordered_map<uint64_t, results::GpuTotal> totals_;
};

struct GpuTotals {
  // One row per device and name (a device is an index in TraceRows::devices), the longest
  // first; of equal times by name, then device.
  std::vector<results::GpuTotal> kernels;
  std::vector<results::GpuTotal> memory_ops;
};

GpuTotals GpuTotalsOf(const results::TraceRows& rows);

// The same over all devices: one row per name, of device 0.
std::vector<results::GpuTotal> OverDevices(const std::vector<results::GpuTotal>& totals,
                                           const StringPool& names);

}  // namespace ridgeline::analysis
