// Which kernels took which share of the time?
#pragma once

#include <vector>

#include "results/kernel_summary.h"
#include "results/result_store.h"
#include "results/rows.h"

namespace ridgeline::analysis {

// All rows of one kernel.
struct SummarizedKernel {
  results::GpuTotal total;
  int64_t rows = 0;
  double told_share = 0;  // The sum of what the rows say.
};

// The longest first. Shares have to be computed from times: those that are told are
// rounded to 0.1 %, which is 0 for many.
std::vector<SummarizedKernel> SummarizedKernels(const results::KernelSummary& summary);

// Adds a summary to `store`, with one device, "all": it does not tell them apart.
void AddToStore(const results::KernelSummary& summary,
                const std::vector<SummarizedKernel>& kernels, results::Source source,
                results::ResultStore& store);

}  // namespace ridgeline::analysis
