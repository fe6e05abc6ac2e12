#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "os/process_runner.h"

namespace ridgeline::artifacts {

// What is checked out in a directory.
struct GitState {
  std::string why;                    // Empty: known. Else why nothing is.
  std::optional<std::string> commit;  // Nothing before the first one.
  std::optional<std::string> branch;  // Nothing: detached.
  int changed_files = 0;              // Tracked ones that differ from the commit.
  int untracked_files = 0;            // A directory of nothing else counts once.

  bool known() const { return why.empty(); }
  bool dirty() const { return changed_files > 0; }
};

// From what `git status --porcelain=v2 --branch` prints.
GitState ParseGitStatus(std::string_view status);

// Changes nothing in the repository, not even git's own caches.
GitState ReadGitState(os::ProcessRunner& processes,
                      const std::filesystem::path& directory);

}  // namespace ridgeline::artifacts
