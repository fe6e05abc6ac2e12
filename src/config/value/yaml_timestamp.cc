#include "config/value/yaml_timestamp.h"

#include <array>
#include <cstddef>

namespace ridgeline::config {
namespace {

// The fields as written, before checking that the date exists (31st of June).
struct TimestampFields {
  Timestamp date;
  bool date_is_padded = false;  // Month and day have two digits.
  int hour = 0;
  int minute = 0;
  int second = 0;
  int zone_hour = 0;
};

struct DigitGroup {
  int value = 0;
  size_t digits = 0;
};

class TimestampCursor {
 public:
  explicit TimestampCursor(std::string_view text) : text_(text) {}

  bool AtEnd() const { return at_ == text_.size(); }
  bool Take(char wanted) {
    if (AtEnd() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  // Between `least` and `most` digits; empty when there are fewer.
  std::optional<DigitGroup> TakeNumber(size_t least, size_t most) {
    DigitGroup number;
    while (!AtEnd() && number.digits < most && text_[at_] >= '0' && text_[at_] <= '9') {
      number.value = number.value * 10 + (text_[at_++] - '0');
      ++number.digits;
    }
    if (number.digits < least) return std::nullopt;
    return number;
  }
  bool TakeBlanks() {
    const size_t start = at_;
    while (Take(' ') || Take('\t')) {
    }
    return at_ > start;
  }
  void TakeDigits() {
    while (!AtEnd() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

// "Z", "+5", "-05:30" after optional blanks, or nothing.
bool TakeZone(TimestampCursor& cursor, TimestampFields& fields) {
  const bool blanks = cursor.TakeBlanks();
  if (cursor.AtEnd()) return !blanks;
  if (cursor.Take('Z')) return cursor.AtEnd();
  if (!cursor.Take('+') && !cursor.Take('-')) return false;
  const std::optional<DigitGroup> hour = cursor.TakeNumber(1, 2);
  if (!hour) return false;
  fields.zone_hour = hour->value;
  if (cursor.Take(':') && !cursor.TakeNumber(2, 2)) return false;
  return cursor.AtEnd();
}

// "1:02:03.25" and the zone.
bool TakeTime(TimestampCursor& cursor, TimestampFields& fields) {
  const std::optional<DigitGroup> hour = cursor.TakeNumber(1, 2);
  if (!hour || !cursor.Take(':')) return false;
  const std::optional<DigitGroup> minute = cursor.TakeNumber(2, 2);
  if (!minute || !cursor.Take(':')) return false;
  const std::optional<DigitGroup> second = cursor.TakeNumber(2, 2);
  if (!second) return false;
  if (cursor.Take('.')) cursor.TakeDigits();
  fields.date.has_time = true;
  fields.hour = hour->value;
  fields.minute = minute->value;
  fields.second = second->value;
  return TakeZone(cursor, fields);
}

std::optional<TimestampFields> ParseFields(std::string_view text) {
  TimestampCursor cursor(text);
  const std::optional<DigitGroup> year = cursor.TakeNumber(4, 4);
  if (!year || !cursor.Take('-')) return std::nullopt;
  const std::optional<DigitGroup> month = cursor.TakeNumber(1, 2);
  if (!month || !cursor.Take('-')) return std::nullopt;
  const std::optional<DigitGroup> day = cursor.TakeNumber(1, 2);
  if (!day) return std::nullopt;
  TimestampFields fields;
  fields.date = {.year = year->value, .month = month->value, .day = day->value};
  fields.date_is_padded = month->digits == 2 && day->digits == 2;
  if (cursor.AtEnd()) return fields;
  if (!cursor.Take('T') && !cursor.Take('t') && !cursor.TakeBlanks()) return std::nullopt;
  if (!TakeTime(cursor, fields)) return std::nullopt;
  return fields;
}

int DaysInMonth(int year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[static_cast<size_t>(month - 1)];
}

}  // namespace

std::optional<Timestamp> ParseTimestamp(std::string_view text) {
  const std::optional<TimestampFields> fields = ParseFields(text);
  if (!fields) return std::nullopt;
  const Timestamp& date = fields->date;
  if (date.year < 1 || date.month < 1 || date.month > 12) return std::nullopt;
  if (date.day < 1 || date.day > DaysInMonth(date.year, date.month)) return std::nullopt;
  // Python limits offsets from UTC to one day.
  if (fields->hour > 23 || fields->minute > 59 || fields->second > 59 ||
      fields->zone_hour > 23) {
    return std::nullopt;
  }
  return date;
}

bool IsImplicitTimestamp(std::string_view text) {
  const std::optional<TimestampFields> fields = ParseFields(text);
  return fields && (fields->date.has_time || fields->date_is_padded);
}

}  // namespace ridgeline::config
