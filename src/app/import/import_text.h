#pragma once

#include <cstddef>
#include <string>

#include "app/import/import_file.h"

namespace ridgeline::app {

// For people: what took the time, how busy the GPUs were, what was left out.
std::string ImportToText(const ImportedTrace& trace, size_t top);

}  // namespace ridgeline::app
