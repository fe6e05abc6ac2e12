// GPU time by kernel, copy and memset.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "results/kernel_summary.h"
#include "results/result_store.h"
#include "results/rows.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

// Sums rows by device and name.
class GpuTotalSum {
 public:
  void Add(const results::GpuTotal& part);
  // The row must have been added before.
  void AddBytes(results::DeviceId device, StringId name, int64_t bytes);

  // By descending time; ties by name, then device.
  std::vector<results::GpuTotal> ByTimeDescending(const StringPool& names) const;
  // In unspecified order.
  std::vector<results::GpuTotal> Unsorted() const;

 private:
  std::unordered_map<uint64_t, results::GpuTotal> totals_;
};

struct GpuTotals {
  // One row per device and name (a device is an index into TraceRows::devices), by
  // descending time; ties by name, then device.
  std::vector<results::GpuTotal> kernels;
  std::vector<results::GpuTotal> memory_ops;
};

GpuTotals GpuTotalsOf(const results::TraceRows& rows);

// The same over all devices: one row per name, with device 0.
std::vector<results::GpuTotal> OverDevices(const std::vector<results::GpuTotal>& totals,
                                           const StringPool& names);

// Share of GPU time by kernel, from a summary.

// All rows of one kernel.
struct SummarizedKernel {
  results::GpuTotal total;
  int64_t rows = 0;
  double told_share = 0;  // Sum of the shares given in the rows.
};

// By descending time. Shares are recomputed from times: the percentages in the file are
// rounded to 0.1 %, which is 0 for many kernels.
std::vector<SummarizedKernel> SummarizedKernels(const results::KernelSummary& summary);

// Adds a summary to `store` with a single device, "all": summaries do not distinguish
// devices.
void AddToStore(const results::KernelSummary& summary,
                const std::vector<SummarizedKernel>& kernels, results::Source source,
                results::ResultStore& store);

}  // namespace ridgeline::analysis
