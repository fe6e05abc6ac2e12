// Plots of what ncu measured: rooflines, throughputs, histograms.
#pragma once

#include <string>
#include <vector>

#include "analysis/ncu_findings.h"

namespace ridgeline::report {

struct PlotFile {
  std::string name;  // "roofline_dram.svg"
  std::string svg;
};

// Only those that there is something to show in. Launches of several GPUs are in one
// plot, under the ceilings of each.
std::vector<PlotFile> NcuPlots(const analysis::NcuFindings& findings);

// One small histogram per quantity that was measured, as one SVG; empty if none was.
std::string NcuHistograms(const analysis::NcuFindings& findings);

}  // namespace ridgeline::report
