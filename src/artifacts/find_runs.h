#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ridgeline::artifacts {

// Limits of the search for runs. Sweeps put a job four levels deep
// (multirun/<day>/<time>/<job>).
struct SearchLimits {
  int depth = 5;
  int directories = 20'000;
};

struct FoundRuns {
  std::vector<std::string> paths;     // Relative to the root; "." for the root itself.
  std::vector<std::string> problems;  // Unreadable directories, one sentence each.
};

// The run directories at or below `root`. Does not descend into run directories, symbolic
// links, hidden directories or node_modules.
FoundRuns FindRuns(const std::filesystem::path& root, const SearchLimits& limits = {});

}  // namespace ridgeline::artifacts
