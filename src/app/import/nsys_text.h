#pragma once

#include <string>

#include "app/import/nsys_file.h"

namespace ridgeline::app {

// For people: the `top` longest kernels and regions.
std::string ExportToText(const ImportedExport& imported, size_t top);
std::string SummaryToText(const ImportedSummary& imported, size_t top);

// A warning for whoever passes the file on; empty if there is nothing to warn of.
std::string SecretsWarning(const std::string& file, const results::NsysHeader& header);

}  // namespace ridgeline::app
