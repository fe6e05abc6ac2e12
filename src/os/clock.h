// Wall-clock time in calendar form. Code that needs the time takes a LocalTime; only
// main() reads the clock.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::os {

// A date and time of day in the machine's time zone, without naming it, like Python's
// naive datetime.
struct LocalTime {
  int year = 1970;
  int month = 1;  // 1..12
  int day = 1;    // 1..31
  int hour = 0;   // 0..23
  int minute = 0;
  int second = 0;
  int microsecond = 0;

  bool operator==(const LocalTime&) const = default;
};

LocalTime Now();

// The current time for logs: "2026-11-15T23:42:01.123+00:00".
std::string Timestamp();

// Nanoseconds since 1970, for comparing records across hosts.
int64_t UnixTimeNs();

// Parses "2024-03-05T14:07:09.123456". The 'T' may be a space; the fraction (one to six
// digits), the seconds and the whole time of day (default midnight) are optional. The
// date must exist.
Result<LocalTime> ParseLocalTime(std::string_view text);

// Python's datetime.strftime(pattern) for a naive datetime in the C locale: C's
// conversions (glibc's, with its flags and widths), %f as six digits of microseconds, %z
// and %Z as empty strings.
std::string FormatTime(const LocalTime& time, std::string_view pattern);

}  // namespace ridgeline::os
