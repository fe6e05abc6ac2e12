// Findings of several profiles, collected for a report.
#pragma once

#include <string>
#include <vector>

#include "analysis/analyze.h"
#include "report/printers/html.h"
#include "report/run_facts.h"
#include "results/result_store.h"

namespace ridgeline::runs {

struct Collected {
  results::ResultStore store;
  std::vector<report::NcuFacts> ncu;
  std::vector<report::SourceTimeline> timelines;
};

struct AddOptions {
  std::string name;            // As the report calls it.
  size_t timeline_blocks = 0;  // How many it may use.
};

void AddProfile(analysis::AnalyzedProfile profile, const AddOptions& options,
                Collected& collected);

}  // namespace ridgeline::runs
