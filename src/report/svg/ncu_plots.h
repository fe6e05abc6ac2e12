// Plots of ncu measurements: rooflines, throughputs, histograms.
#pragma once

#include <string>
#include <vector>

#include "analysis/ncu_findings.h"

namespace ridgeline::report {

struct PlotFile {
  std::string name;  // "roofline_dram.svg"
  std::string svg;
};

// Only plots with data. Launches on several GPUs share a plot, with the ceilings of each.
std::vector<PlotFile> NcuPlots(const analysis::NcuFindings& findings);

// One small histogram per measured quantity, as one SVG; empty if none was measured.
std::string NcuHistograms(const analysis::NcuFindings& findings);

}  // namespace ridgeline::report
