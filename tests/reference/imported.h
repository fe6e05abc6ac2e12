// A recorded file as `ridgeline import` reads it.
#pragma once

#include <filesystem>
#include <utility>
#include <variant>

#include "analysis/analyze.h"
#include "profiles/formats.h"

namespace ridgeline::reference {

// An error also if the file is of another kind.
template <typename Kind>
Result<Kind> Imported(const std::filesystem::path& path) {
  RIDGELINE_TRY(profiles::Profile profile, profiles::OpenProfile(path));
  RIDGELINE_TRY(analysis::AnalyzedProfile analyzed,
                analysis::Analyze(std::move(profile)));
  if (auto* const wanted = std::get_if<Kind>(&analyzed)) return std::move(*wanted);
  return Error(ErrorCode::kParse, path.string() + ": read as another format");
}

}  // namespace ridgeline::reference
