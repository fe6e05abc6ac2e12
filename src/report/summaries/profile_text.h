// A profile for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "analysis/analyze.h"

namespace ridgeline::summaries {

// The `top` kernels, operators and regions by time, GPU utilization, dropped records.
std::string ToText(const analysis::AnalyzedTrace& trace, size_t top);
std::string ToText(const analysis::AnalyzedExport& imported, size_t top);
std::string ToText(const analysis::AnalyzedSummary& imported, size_t top);
std::string ToText(const analysis::AnalyzedNcu& imported, size_t top);

// Whatever it is.
std::string ToText(const analysis::AnalyzedProfile& profile, size_t top);

// A warning for those who share the file; empty: it contains no environment.
std::string SecretsWarning(const profiles::ProfileInfo& info);

// "memory-bound"; JSON and CSV have NameOf.
std::string ClassText(analysis::NcuClass kernel_class);

// Launches by duration, as a table.
std::string NcuTableText(const analysis::NcuFindings& findings, size_t top);

// "2 memory-bound, 1 latency-bound", with shares of the time if known.
std::string NcuClassesText(const analysis::NcuFindings& findings);

}  // namespace ridgeline::summaries
