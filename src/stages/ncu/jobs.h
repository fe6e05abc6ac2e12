// From a choice of kernels to runs of the program under ncu, as few as this ncu allows.
#pragma once

#include <string>
#include <vector>

#include "stages/ncu/options.h"
#include "stages/ncu/selection.h"

namespace ridgeline::stages {

// One run of the program.
struct NcuJob {
  NcuOptions options;
  std::string base;    // Of its report, in the stage's directory: "run".
  std::string suffix;  // Of its log and command file: ".gemm"; empty if it is alone.
};

// One, except where ncu cannot tell things apart in one run:
// - launch_skip and launch_count are counted over all kernels together (or those of one
//   size, with --filter-mode per-launch-config), so that each kernel has one of its own;
// - of a replay of ranges, each range of nvtx.include has one, in regions/<label>/.
std::vector<NcuJob> JobsOf(const NcuOptions& options, const NcuSelection& selection);

// Whether whole ranges are measured, and no kernels.
bool ReplaysRanges(const NcuOptions& options);

// The name of a range in an expression for ncu: "LLM@decode/" -> "decode".
std::string RangeLabel(const std::string& expression);

}  // namespace ridgeline::stages
