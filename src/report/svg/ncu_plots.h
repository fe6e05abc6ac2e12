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

// Only those that there is something to show in. `device` is the GPU's name for titles;
// may be empty.
std::vector<PlotFile> NcuPlots(const analysis::NcuFindings& findings,
                               const std::string& device);

// One small histogram per quantity that was measured, as one SVG; empty if none was.
std::string NcuHistograms(const analysis::NcuFindings& findings);

}  // namespace ridgeline::report
