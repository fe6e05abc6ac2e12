#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ridgeline::artifacts {

// How far a list of runs looks. Sweeps put a job four levels deep
// (multirun/<day>/<time>/<job>).
struct SearchLimits {
  int depth = 5;
  int directories = 20'000;
};

struct FoundRuns {
  std::vector<std::string> paths;     // Relative to the root; "." for the root itself.
  std::vector<std::string> problems;  // What could not be looked at, a sentence each.
};

// The run directories at or below `root`. What lies in a run directory, behind links, in
// hidden directories and in node_modules is not looked at.
FoundRuns FindRuns(const std::filesystem::path& root, const SearchLimits& limits = {});

}  // namespace ridgeline::artifacts
