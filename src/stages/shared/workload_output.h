#pragma once

#include <filesystem>

#include "os/command.h"

namespace ridgeline::stages {

// The same command with both of its outputs in `file`. A profiler that starts it prints
// its own messages to the streams that are left, where the workload cannot imitate them.
os::Command WithOutputIn(const std::filesystem::path& file, const os::Command& command);

}  // namespace ridgeline::stages
