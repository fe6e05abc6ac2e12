#pragma once

#include <string>
#include <string_view>

namespace ridgeline::profiles {

// The unit of a metric's value in a report, which holds base units and does not name
// them: "ns" of gpu__time_duration.sum, "byte/s" of dram__bytes.sum.per_second, "%" of
// what is a share of a peak. Empty where the name does not tell.
std::string BaseUnitOf(std::string_view metric);

}  // namespace ridgeline::profiles
