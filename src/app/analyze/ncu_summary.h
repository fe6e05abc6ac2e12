// What `ridgeline analyze` prints.
#pragma once

#include <string>

#include "app/analyze/analyze_options.h"
#include "app/analyze/ncu_device.h"
#include "app/analyze/ncu_directory.h"

namespace ridgeline::app {

std::string NcuSummaryText(const NcuDirectory& directory,
                           const analysis::NcuFindings& findings, const NcuDevice& device,
                           const AnalyzeOptions& options);

}  // namespace ridgeline::app
