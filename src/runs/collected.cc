#include "runs/collected.h"

#include <utility>

namespace ridgeline::runs {

void AddProfile(analysis::AnalyzedProfile profile, const AddOptions& options,
                Collected& collected) {
  // Larger files are imported without single activities.
  constexpr size_t kMostEvents = 1'000'000;
  analysis::AddToStore(profile, options.name, kMostEvents, collected.store);
  auto timeline = analysis::TimelineOf(profile, options.timeline_blocks);
  if (timeline) collected.timelines.push_back({options.name, std::move(*timeline)});
  if (auto* const ncu = std::get_if<analysis::AnalyzedNcu>(&profile)) {
    collected.ncu.push_back(
        {options.name, std::move(ncu->rows), std::move(ncu->findings)});
  }
}

}  // namespace ridgeline::runs
