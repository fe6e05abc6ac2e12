#include "runs/run_profiles.h"

#include <utility>

#include "profiles/formats.h"

namespace ridgeline::runs {

using analysis::AnalyzedProfile;

Result<AnalyzedProfile> ReadProfile(const std::filesystem::path& path) {
  RIDGELINE_TRY(profiles::Profile profile, profiles::OpenProfile(path));
  return analysis::Analyze(std::move(profile));
}

const Result<AnalyzedProfile>& RunProfiles::Get(const std::filesystem::path& path) {
  const auto found = read_.find(path);
  if (found != read_.end()) return found->second;
  return read_.emplace(path, ReadProfile(path)).first->second;
}

Result<AnalyzedProfile> RunProfiles::Take(const std::filesystem::path& path) {
  Get(path);
  return std::move(read_.extract(path).mapped());
}

}  // namespace ridgeline::runs
