// Reports (.ncu-rep) against CSV pages that ncu made of the same reports.
#pragma once

#include <filesystem>
#include <vector>

#include "tests/ncu/rtx5090.h"

namespace ridgeline::ncu_cases {

// Of DIR/ncu_rep/; the pages are in DIR/ncu_csv/. A report without a page only has to be
// readable.
std::vector<NamedComparison> CheckReports(const std::filesystem::path& folder);

}  // namespace ridgeline::ncu_cases
