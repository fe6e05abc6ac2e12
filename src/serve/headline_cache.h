#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "artifacts/run_dir.h"
#include "os/files.h"

namespace ridgeline::serve {

struct Headlines {
  nlohmann::ordered_json values;      // As returned by HeadlinesOf().
  std::vector<std::string> problems;  // Why there are none.
};

// Headlines of runs. A metrics.json is read once as long as it is the same file: a list
// of a thousand runs would otherwise parse several hundred MB per request. Thread-safe.
class HeadlineCache {
 public:
  Headlines Of(const artifacts::RunDir& run_dir);

 private:
  struct Entry {
    os::FileStamp stamp;
    Headlines headlines;
  };

  std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // By run directory.
};

// The few numbers of a run's metrics.json shown in a list of runs:
//   "phases": {"end_to_end"|"prefill"|"decode": null or {source, mean_s, mean_ci95_s,
//              tokens_per_s}}, "kernel" and "operator": null or {name, time_s, share}.
// Phases are unprofiled, from direct_inference if it measured them. Anything missing or
// of the wrong type is null.
nlohmann::ordered_json HeadlinesOf(const nlohmann::json& metrics);

// Entry of the list of runs: a summary of the manifest, HeadlinesOf() its metrics.json,
// "report": the report file, "problems": unreadable files. A broken run is listed with
// state null. `path` is relative to `root`.
nlohmann::ordered_json SummaryOfRun(const std::filesystem::path& root,
                                    const std::string& path, HeadlineCache& cache);

// All results of FindRuns(), most recently started first.
nlohmann::ordered_json SummaryOfRuns(const std::filesystem::path& root,
                                     HeadlineCache& cache);

}  // namespace ridgeline::serve
