#include "runs/collected.h"

#include <utility>

#include "report/sections/sections.h"

namespace ridgeline::runs {

void AddProfile(analysis::AnalyzedProfile profile, const AddOptions& options,
                Collected& collected) {
  analysis::AddToStore(profile, options.name, options.most_events, collected.store);
  collected.profiles.emplace(options.name, report::ProfileRowOf(profile));
  if (options.timeline_blocks > 0) {
    auto timeline = analysis::TimelineOf(profile, options.timeline_blocks);
    if (timeline) collected.timelines.push_back({options.name, std::move(*timeline)});
  }
  if (auto* const ncu = std::get_if<analysis::AnalyzedNcu>(&profile)) {
    collected.ncu.push_back(
        {options.name, std::move(ncu->rows), std::move(ncu->findings)});
  }
}

}  // namespace ridgeline::runs
