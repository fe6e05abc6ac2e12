#pragma once

#include <filesystem>

#include "base/result.h"

namespace ridgeline::os {

// Removes leftovers of atomic writes by killed processes, directly in `directory`:
// regular files named like ".manifest.json.1234-0" and directories like
// ".page.unfinished-1234" whose process is gone. A directory that was about to be
// replaced gets its name back. Only processes of this machine may be writing there. A
// nonexistent directory is fine.
Status RemoveStaleFiles(const std::filesystem::path& directory);

}  // namespace ridgeline::os
