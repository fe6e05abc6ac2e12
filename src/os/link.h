#pragma once

#include <filesystem>

#include "base/result.h"

namespace ridgeline::os {

// A symbolic link at `link`, where there is nothing yet. A relative `target` counts from
// the link's directory and need not exist.
Status MakeLink(const std::filesystem::path& target, const std::filesystem::path& link);

// Also one that points nowhere. False for what cannot be looked at.
bool IsLink(const std::filesystem::path& path);

}  // namespace ridgeline::os
