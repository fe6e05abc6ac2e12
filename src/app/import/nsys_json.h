#pragma once

#include <nlohmann/json.hpp>

#include "app/import/nsys_file.h"

namespace ridgeline::app {

// Base units; `top` bounds the lists of kernels, ranges and regions. docs/nsys-import.md
// describes the fields.
nlohmann::ordered_json ExportToJson(const ImportedExport& imported, size_t top);
nlohmann::ordered_json SummaryToJson(const ImportedSummary& imported, size_t top);

}  // namespace ridgeline::app
