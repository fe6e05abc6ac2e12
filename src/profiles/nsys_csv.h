// Kernel summaries written by `nsys stats --format csv`: gpukernsum of 2020 to 2022,
// cuda_gpu_kern_sum and cuda_gpu_kern_gb_sum since 2023; files, or captured console
// output with progress messages and other reports around them.
#pragma once

#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"
#include "results/kernel_summary.h"

namespace ridgeline::profiles {

// Whether a file with these first bytes (a few hundred) may contain such a summary.
bool MayBeNsysCsv(std::string_view first_bytes);

// The first kernel summary in the text; fails if there is none. Separated by commas or
// tabs, in any time unit.
Result<results::KernelSummary> ReadNsysCsv(ByteSource& text);

}  // namespace ridgeline::profiles
