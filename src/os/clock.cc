#include "os/clock.h"

#include <locale.h>
#include <time.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

namespace ridgeline::os {
namespace {

// Parses fixed-width numbers from the front of a text; ok() stays false after the first
// failure.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

  bool TakeIf(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void Take(char c) { ok_ = TakeIf(c) && ok_; }

  int TakeNumber(size_t width) {
    const std::optional<int> number = DigitsOnly(rest_.substr(0, width));
    if (rest_.size() < width || !number) {
      ok_ = false;
      return 0;
    }
    rest_.remove_prefix(width);
    return *number;
  }

  // ".5" is half a second.
  int TakeMicroseconds() {
    std::string digits(rest_.substr(0, rest_.find_first_not_of("0123456789")));
    rest_.remove_prefix(digits.size());
    if (digits.empty() || digits.size() > 6) ok_ = false;
    digits.resize(6, '0');
    return DigitsOnly(digits).value_or(0);
  }

 private:
  static std::optional<int> DigitsOnly(std::string_view text) {
    if (text.find_first_not_of("0123456789") != std::string_view::npos) return {};
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }

  std::string_view rest_;
  bool ok_ = true;
};

std::chrono::year_month_day Date(const LocalTime& time) {
  return {std::chrono::year(time.year),
          std::chrono::month(static_cast<unsigned>(time.month)),
          std::chrono::day(static_cast<unsigned>(time.day))};
}

// Python's years begin at 1, and it has no leap seconds.
bool IsRealTime(const LocalTime& time) {
  return time.year >= 1 && Date(time).ok() && time.hour < 24 && time.minute < 60 &&
         time.second < 60;
}

tm ToTm(const LocalTime& time) {
  const std::chrono::sys_days date = Date(time);
  const std::chrono::sys_days new_year = Date({.year = time.year});
  tm result = {};
  result.tm_year = time.year - 1900;
  result.tm_mon = time.month - 1;
  result.tm_mday = time.day;
  result.tm_hour = time.hour;
  result.tm_min = time.minute;
  result.tm_sec = time.second;
  result.tm_wday = static_cast<int>(std::chrono::weekday(date).c_encoding());
  result.tm_yday = static_cast<int>((date - new_year).count());
  result.tm_isdst = -1;  // Unknown: %s determines it.
  return result;
}

// Replaces conversions that C's strftime lacks or that, without a time zone, would give
// arbitrary results.
std::string ReplacePythonConversions(std::string_view pattern, int microsecond) {
  std::string result;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%' || i + 1 == pattern.size()) {
      result += pattern[i];
      continue;
    }
    const char conversion = pattern[++i];
    if (conversion == 'f') {
      std::array<char, 16> digits = {};
      std::snprintf(digits.data(), digits.size(), "%06d", microsecond);
      result += digits.data();
    } else if (conversion != 'z' && conversion != 'Z') {
      result += {'%', conversion};
    }
  }
  return result;
}

}  // namespace

LocalTime Now() {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  tm local = {};
  ::localtime_r(&now.tv_sec, &local);
  return {.year = local.tm_year + 1900,
          .month = local.tm_mon + 1,
          .day = local.tm_mday,
          .hour = local.tm_hour,
          .minute = local.tm_min,
          .second = local.tm_sec,
          .microsecond = static_cast<int>(now.tv_nsec / 1000)};
}

int64_t UnixTimeNs() {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::string Timestamp() {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  tm local = {};
  ::localtime_r(&now.tv_sec, &local);
  std::array<char, 64> text = {};
  const size_t length = ::strftime(text.data(), text.size(), "%FT%T", &local);
  const long offset_min = local.tm_gmtoff / 60;
  std::snprintf(text.data() + length, text.size() - length, ".%03ld%c%02ld:%02ld",
                now.tv_nsec / 1'000'000, offset_min < 0 ? '-' : '+',
                std::labs(offset_min) / 60, std::labs(offset_min) % 60);
  return text.data();
}

Result<LocalTime> ParseLocalTime(std::string_view text) {
  Scanner scanner(text);
  LocalTime time;
  time.year = scanner.TakeNumber(4);
  scanner.Take('-');
  time.month = scanner.TakeNumber(2);
  scanner.Take('-');
  time.day = scanner.TakeNumber(2);
  if (!scanner.at_end()) {
    if (!scanner.TakeIf(' ')) scanner.Take('T');
    time.hour = scanner.TakeNumber(2);
    scanner.Take(':');
    time.minute = scanner.TakeNumber(2);
    if (scanner.TakeIf(':')) {
      time.second = scanner.TakeNumber(2);
      if (scanner.TakeIf('.')) time.microsecond = scanner.TakeMicroseconds();
    }
  }
  if (!scanner.ok() || !scanner.at_end() || !IsRealTime(time)) {
    return Error(ErrorCode::kConfig,
                 "'" + std::string(text) + "' is not a time such as 2024-03-05T14:07:09");
  }
  return time;
}

std::string FormatTime(const LocalTime& time, std::string_view pattern) {
  const std::string c_pattern = ReplacePythonConversions(pattern, time.microsecond);
  // The leading character distinguishes an empty result from a buffer that is too small.
  const std::string marked_pattern = "=" + c_pattern;
  const tm fields = ToTm(time);
  const std::unique_ptr<__locale_struct, void (*)(locale_t)> c_locale(
      ::newlocale(LC_ALL_MASK, "C", nullptr), ::freelocale);

  // A width such as %999999999Y needs an impossibly large buffer. Python gives up, with
  // an empty result, at the first power of two above 256x the pattern's length.
  for (size_t capacity = 1024;; capacity *= 2) {
    std::string buffer(1 + capacity, '\0');
    const size_t length = ::strftime_l(buffer.data(), buffer.size(),
                                       marked_pattern.c_str(), &fields, c_locale.get());
    if (length > 0) return buffer.substr(1, length - 1);
    if (capacity >= 256 * c_pattern.size()) return "";
  }
}

}  // namespace ridgeline::os
