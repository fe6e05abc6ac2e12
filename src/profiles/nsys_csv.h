// Kernel summaries as `nsys stats --format csv` writes them: gpukernsum of 2020 to 2022,
// cuda_gpu_kern_sum and cuda_gpu_kern_gb_sum since 2023; files, and what was captured of
// the console with progress messages and other reports around them.
#pragma once

#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"
#include "results/kernel_summary.h"

namespace ridgeline::profiles {

// Whether a file with these first bytes (some hundred) may hold such a summary.
bool MayBeNsysCsv(std::string_view first_bytes);

// The first kernel summary of the text; it is an error if there is none. Separated by
// commas or tabs, in any unit of time.
Result<results::KernelSummary> ReadNsysCsv(ByteSource& text);

}  // namespace ridgeline::profiles
