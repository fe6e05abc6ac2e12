// Parses the output of nsys profile. Its exit code is that of the program, whether or not
// a report was written, so only the log shows what happened.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::stages {

struct NsysLog {
  std::vector<std::string> generated;  // Paths below "Generated:"; may be empty.
  // It printed "Generated:", its last message, whether or not the program failed.
  bool finished = false;
  std::string not_created;  // Path that already existed, or empty.
  int ranges_started = 0;
  int ranges_ended = 0;
  bool importer_missing = false;
  std::string broke;        // Error message of nsys itself, or empty.
  std::string not_started;  // Why the program was not started, or empty.
  std::string refused;      // "unrecognised option '--x=1'", or empty.
};

NsysLog ParseNsysLog(std::string_view text);

// Messages of `nsys stats`, which always exits with 0.
struct NsysStatsLog {
  std::vector<std::string> unknown;  // Reports it does not have.
  std::vector<std::string> empty;    // Reports without data.
};

NsysStatsLog ParseNsysStatsLog(std::string_view text);

}  // namespace ridgeline::stages
