// What profiles hold, collected for a report: rows, what follows from them, timelines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/analyze.h"
#include "base/result.h"
#include "report/printers/html.h"
#include "report/run_facts.h"
#include "results/result_store.h"

namespace ridgeline::app {

struct Collected {
  results::ResultStore store;
  std::vector<report::NcuFacts> ncu;
  std::vector<report::SourceTimeline> timelines;
};

struct ProfileFile {
  std::filesystem::path path;
  std::string name;            // As the report calls it.
  size_t timeline_blocks = 0;  // How many it may use.
};

// Of any format that we know, by its content.
Status AddProfile(const ProfileFile& file, Collected& collected);

}  // namespace ridgeline::app
