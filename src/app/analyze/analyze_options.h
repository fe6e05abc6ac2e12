#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "analysis/ncu_findings.h"
#include "app/flags.h"
#include "base/result.h"

namespace ridgeline::app {

struct AnalyzeOptions {
  std::string path;
  analysis::BottleneckRule rule = analysis::BottleneckRule::kRidgeline;
  analysis::ClassThresholds thresholds;
  std::string gpu;                    // Empty: the one named in the files.
  std::optional<double> peak_tflops;  // For tensor cores.
  std::optional<double> peak_gbps;
  size_t top = 20;
  std::string json;  // Files and directories; empty: none.
  std::string csv;
  std::string metrics_csv;
  std::string roofline_csv;
  std::string svg_dir;
  bool has_png = false;
};

std::span<const Flag> AnalyzeFlags();
void PrintAnalyzeUsage(std::ostream& out);

// With --output-dir, all file names are below it.
Result<AnalyzeOptions> AnalyzeOptionsOf(const ParsedFlags& flags);

}  // namespace ridgeline::app
