// Machines with recorded /proc and /sys, for tests.
#pragma once

#include <string>

#include "hardware/system_files.h"

namespace ridgeline::hardware {

inline SystemFiles Recorded(const std::string& machine) {
  return SystemFiles(std::string(RIDGELINE_TESTS_DIR) + "/data/machines/" + machine);
}

}  // namespace ridgeline::hardware
