#pragma once

#include <filesystem>

#include "base/result.h"

namespace ridgeline::os {

// Removes what atomic writes of killed processes left directly in `directory`: regular
// files with a name such as ".manifest.json.1234-0" and directories such as
// ".page.unfinished-1234" whose process is gone. A directory that was about to be
// replaced gets its name back. Nobody else may be writing there, other than processes of
// this machine. A directory that does not exist has none.
Status RemoveStaleFiles(const std::filesystem::path& directory);

}  // namespace ridgeline::os
