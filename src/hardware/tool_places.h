// Where the installers of others put their programs.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "hardware/system_files.h"

namespace ridgeline::hardware {

// Every path that a pattern such as "/opt/nvidia/nsight-systems/*/bin/nsys" leads to; a
// "*" stands for any part of one name. Sorted, newest version last.
std::vector<std::filesystem::path> MatchPaths(std::string_view pattern,
                                              const SystemFiles& files);

// Where `tool` is usually installed and PATH often does not lead; newest first.
std::vector<std::filesystem::path> FindOutsideOfPath(std::string_view tool,
                                                     const SystemFiles& files);

}  // namespace ridgeline::hardware
