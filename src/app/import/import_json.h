#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "app/import/import_file.h"

namespace ridgeline::app {

// All that was found, in base units; of operators and kernels the first `top`.
// docs/import.md explains the names.
nlohmann::ordered_json ImportToJson(const ImportedTrace& trace, size_t top);

}  // namespace ridgeline::app
