#include "app/import/collected.h"

#include <utility>

#include "profiles/formats.h"

namespace ridgeline::app {

Status AddProfile(const ProfileFile& file, Collected& collected) {
  // Larger files are imported without single activities.
  constexpr size_t kMostEvents = 1'000'000;
  RIDGELINE_TRY(profiles::Profile read, profiles::OpenProfile(file.path));
  RIDGELINE_TRY(analysis::AnalyzedProfile profile, analysis::Analyze(std::move(read)));
  analysis::AddToStore(profile, file.name, kMostEvents, collected.store);
  auto timeline = analysis::TimelineOf(profile, file.timeline_blocks);
  if (timeline) collected.timelines.push_back({file.name, std::move(*timeline)});
  if (auto* const ncu = std::get_if<analysis::AnalyzedNcu>(&profile)) {
    collected.ncu.push_back({file.name, std::move(ncu->rows), std::move(ncu->findings)});
  }
  return Ok();
}

}  // namespace ridgeline::app
