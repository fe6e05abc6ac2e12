#pragma once

#include <string>

#include "app/import/ncu_file.h"

namespace ridgeline::app {

// The launches as a table, the longest first.
std::string NcuTableText(const analysis::NcuFindings& findings, size_t top);

// "2 memory_bound, 1 latency_bound"; by the time in them, if it is known.
std::string NcuClassesText(const analysis::NcuFindings& findings);

std::string NcuToText(const ImportedNcu& imported, size_t top);

}  // namespace ridgeline::app
