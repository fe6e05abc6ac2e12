// The recorded run on an RTX 5090: 20 kernels, a directory each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/ncu/as_reference.h"
#include "tests/reference/compare.h"

namespace ridgeline::ncu_cases {

struct NamedComparison {
  std::string name;
  reference::Comparison comparison;
};

// Quantities of every kernel; its class by the rules "throughput-gap", which has to be
// the published one, and "ridge"; its intensity; the plots, as they are in `golden`
// (written there if the environment has RIDGELINE_UPDATE_GOLDEN).
std::vector<NamedComparison> CheckRtx5090(const std::filesystem::path& directory,
                                          const Json& want,
                                          const std::filesystem::path& golden);

}  // namespace ridgeline::ncu_cases
