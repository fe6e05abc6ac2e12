#pragma once

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "artifacts/run_dir.h"
#include "os/file_stamp.h"

namespace ridgeline::serve {

struct Headlines {
  nlohmann::ordered_json values;      // As HeadlinesOf() makes them.
  std::vector<std::string> problems;  // Why there are none.
};

// Headlines of runs. A metrics.json is read once as long as it stays the same file: a
// list of a thousand runs would otherwise parse some hundred MB each time it is asked
// for. Thread-safe.
class HeadlineCache {
 public:
  Headlines Of(const artifacts::RunDir& run_dir);

 private:
  struct Entry {
    os::FileStamp stamp;
    Headlines headlines;
  };

  std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // By the run's directory.
};

}  // namespace ridgeline::serve
