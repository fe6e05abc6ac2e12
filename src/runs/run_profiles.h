// RunProfiles: the profiles of a run, read when they are first needed.
#pragma once

#include <filesystem>
#include <map>

#include "analysis/analyze.h"
#include "base/result.h"

namespace ridgeline::runs {

// Reads a profile and analyzes it. Errors name the file.
Result<analysis::AnalyzedProfile> ReadProfile(const std::filesystem::path& path);

// A stage may ask for the kernels of an earlier one, and the reports at the end use the
// same files: each is read at most once. What was read stays in memory until taken.
class RunProfiles {
 public:
  // Valid until the profile is taken. An error is kept, too.
  const Result<analysis::AnalyzedProfile>& Get(const std::filesystem::path& path);

  // For the last user of the profile.
  Result<analysis::AnalyzedProfile> Take(const std::filesystem::path& path);

 private:
  std::map<std::filesystem::path, Result<analysis::AnalyzedProfile>> read_;
};

}  // namespace ridgeline::runs
