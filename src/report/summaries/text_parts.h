// Shared parts of import summaries.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/launch_delay.h"
#include "analysis/statistics.h"
#include "base/string_pool.h"
#include "results/import_counter.h"
#include "results/rows.h"

namespace ridgeline::summaries {

std::string Time(double ns);                     // "43.1 ms", "-2.1 us"
std::string Time(int64_t ns);                    // The same.
std::string Share(int64_t part, int64_t whole);  // "12 %"; empty if `whole` is 0.
std::string Counted(int64_t count, std::string_view one, std::string_view many);

// Truncates names, which may have thousands of characters, between UTF-8 characters.
std::string ShortName(std::string_view name);

struct KernelList {
  const std::vector<results::GpuTotal>& totals;  // The longest first.
  const std::optional<analysis::DurationStats>& duration;
  const StringPool& names;
};
std::string KernelsText(const KernelList& kernels, size_t top);

// `model` may be empty.
std::string DeviceText(const results::DeviceTime& time, const std::string& label,
                       const std::string& model);

std::string LaunchText(const analysis::LaunchDelays& launch);

std::string LeftOutText(const results::ImportCounts& left_out,
                        const std::string& categories_not_read = "");

}  // namespace ridgeline::summaries
