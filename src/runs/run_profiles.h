// The profiles of a run, read on first use.
#pragma once

#include <filesystem>
#include <map>

#include "analysis/analyze.h"
#include "base/result.h"

namespace ridgeline::runs {

// Reads and analyzes a profile. Errors name the file.
Result<analysis::AnalyzedProfile> ReadProfile(const std::filesystem::path& path);

// A stage may need the kernels of an earlier one, and the final reports use the same
// files: each is read at most once. Profiles stay in memory until taken.
class RunProfiles {
 public:
  // Valid until the profile is taken. Errors are cached too.
  const Result<analysis::AnalyzedProfile>& Get(const std::filesystem::path& path);

  // For the last user of the profile.
  Result<analysis::AnalyzedProfile> Take(const std::filesystem::path& path);

 private:
  std::map<std::filesystem::path, Result<analysis::AnalyzedProfile>> read_;
};

}  // namespace ridgeline::runs
