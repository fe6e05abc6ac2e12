#pragma once

#include <cstddef>
#include <string>

#include "app/import/import_file.h"
#include "app/import/ncu_file.h"
#include "app/import/nsys_file.h"

namespace ridgeline::app {

// For people: what took the time, how busy the GPUs were, what was left out.
std::string ImportToText(const ImportedTrace& trace, size_t top);

// For people: the `top` longest kernels and regions.
std::string ExportToText(const ImportedExport& imported, size_t top);
std::string SummaryToText(const ImportedSummary& imported, size_t top);

// A warning for whoever passes the file on; empty if there is nothing to warn of.
std::string SecretsWarning(const std::string& file, const results::NsysHeader& header);

// "memory-bound"; JSON and CSV have NameOf.
std::string ClassText(analysis::NcuClass kernel_class);

// Launches by duration, as a table.
std::string NcuTableText(const analysis::NcuFindings& findings, size_t top);

// "2 memory-bound, 1 latency-bound", with shares of the time if known.
std::string NcuClassesText(const analysis::NcuFindings& findings);

std::string NcuToText(const ImportedNcu& imported, size_t top);

}  // namespace ridgeline::app
