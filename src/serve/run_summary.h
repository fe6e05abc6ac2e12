#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "serve/headline_cache.h"

namespace ridgeline::serve {

// What the list of runs says of one: its manifest in short, HeadlinesOf() its
// metrics.json, "report": the file that opens it, "problems": what could not be read. A
// broken run has state null, not no entry. `path` is relative to `root`.
nlohmann::ordered_json SummaryOfRun(const std::filesystem::path& root,
                                    const std::string& path, HeadlineCache& cache);

// All that FindRuns() finds, the last one started first.
nlohmann::ordered_json SummaryOfRuns(const std::filesystem::path& root,
                                     HeadlineCache& cache);

}  // namespace ridgeline::serve
