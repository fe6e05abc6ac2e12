// Findings of several profiles, collected for a report.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/analyze.h"
#include "report/printers/html.h"
#include "report/run_facts.h"
#include "results/result_store.h"

namespace ridgeline::runs {

struct Collected {
  results::ResultStore store;
  std::map<std::string, report::ProfileRow> profiles;  // By name.
  std::vector<report::NcuFacts> ncu;
  std::vector<report::SourceTimeline> timelines;
};

struct AddOptions {
  std::string name;                // Name in the report.
  size_t timeline_blocks = 0;      // Maximum number to use; 0: no timeline.
  size_t most_events = 1'000'000;  // Larger files are stored without activities.
};

void AddProfile(analysis::AnalyzedProfile profile, const AddOptions& options,
                Collected& collected);

}  // namespace ridgeline::runs
