// What nsys prints while it profiles. Its exit code is the program's, whatever became of
// the report, so that only this tells what happened.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::stages {

struct NsysLog {
  std::vector<std::string> generated;  // Paths below "Generated:"; may be none.
  std::string not_created;             // The path that existed already; empty: none.
  int ranges_started = 0;
  int ranges_ended = 0;
  bool importer_missing = false;
  std::string broke;  // What nsys says of an error of its own; empty: there was none.
  std::string not_started;  // Why there is no program; empty: it was started.
  std::string refused;  // "unrecognised option '--x=1'"; empty: it took all arguments.
};

NsysLog ParseNsysLog(std::string_view text);

// What `nsys stats` says, which always ends well.
struct NsysStatsLog {
  std::vector<std::string> unknown;  // Reports that it does not have.
  std::vector<std::string> empty;    // Reports for which there is no data.
};

NsysStatsLog ParseNsysStatsLog(std::string_view text);

}  // namespace ridgeline::stages
