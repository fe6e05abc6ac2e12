#pragma once

#include <optional>
#include <string_view>

namespace ridgeline::config {

// YAML 1.1's "2001-12-14" and "2001-12-14 21:59:43.10 -5".
struct Timestamp {
  int year = 0;
  int month = 0;
  int day = 0;
  bool has_time = false;
};

// Empty if the text has another form or no such date exists.
std::optional<Timestamp> ParseTimestamp(std::string_view text);

// Whether PyYAML would read the plain text as a timestamp (even for a nonexistent date),
// so that a string has to be quoted.
bool IsImplicitTimestamp(std::string_view text);

}  // namespace ridgeline::config
