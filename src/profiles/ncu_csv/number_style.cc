#include "profiles/ncu_csv/number_style.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/characters.h"

namespace ridgeline::profiles {
namespace {

constexpr std::string_view kNoBreakSpace = "\xC2\xA0";
constexpr std::string_view kNarrowSpace = "\xE2\x80\xAF";

// Parts of a number: sign, exponent, and digits with separators.
struct Parts {
  std::string body;  // Digits, '.', ',', ' ' and '\''.
  bool is_negative = false;
  std::string_view exponent;  // "e-05"; usually empty.
};

// Replaces Unicode spaces with plain ones.
std::string PlainSpaces(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const std::string_view space = text.starts_with(kNoBreakSpace)  ? kNoBreakSpace
                                   : text.starts_with(kNarrowSpace) ? kNarrowSpace
                                                                    : std::string_view();
    plain += space.empty() ? text.front() : ' ';
    text.remove_prefix(std::max<size_t>(space.size(), 1));
  }
  return plain;
}

std::string_view WithoutSpaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<Parts> Take(std::string_view text) {
  constexpr size_t kLongest = 400;  // Longer texts are lists of numbers.
  text = WithoutSpaces(text);
  // "4976 (48; 48; 16)"
  if (const size_t open = text.find('('); open != text.npos && text.ends_with(')')) {
    text = WithoutSpaces(text.substr(0, open));
  }
  Parts parts;
  if (text.starts_with('-') || text.starts_with('+')) {
    parts.is_negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text.empty() || text.size() > kLongest || !IsDigit(text.front())) return {};
  if (const size_t e = text.find_first_of("eE"); e != text.npos) {
    parts.exponent = text.substr(e);
    text = text.substr(0, e);
  }
  parts.body = PlainSpaces(text);
  const bool is_number =
      !parts.body.empty() && IsDigit(parts.body.back()) &&
      std::all_of(parts.body.begin(), parts.body.end(), [](char c) {
        return IsDigit(c) || c == '.' || c == ',' || c == ' ' || c == '\'';
      });
  if (!is_number) return {};
  return parts;
}

// "1,234,567" for ',': one to three digits, then groups of three. At least one separator.
bool IsGrouped(std::string_view body, char mark) {
  size_t digits = 0;
  bool is_first = true;
  for (size_t i = 0; i <= body.size(); ++i) {
    if (i < body.size() && IsDigit(body[i])) {
      ++digits;
      continue;
    }
    if (i < body.size() && body[i] != mark) return false;
    if (is_first ? digits == 0 || digits > 3 : digits != 3) return false;
    if (i < body.size()) is_first = false;
    digits = 0;
  }
  return !is_first && body.front() != '0';
}

size_t CountOf(std::string_view body, char mark) {
  return static_cast<size_t>(std::count(body.begin(), body.end(), mark));
}

std::string Without(std::string_view body, char mark) {
  std::string text;
  std::copy_if(body.begin(), body.end(), std::back_inserter(text),
               [&](char c) { return c != mark; });
  return text;
}

// Thousands and decimal separators; '\0': none.
struct Marks {
  char group = '\0';
  char decimal = '\0';
};

char GroupMarkOf(std::string_view body) {
  for (const char mark : {' ', '\''}) {
    if (CountOf(body, mark) > 0) return mark;
  }
  return '\0';
}

// nullopt if the separators contradict each other, as in 1,2.3,4.
std::optional<Marks> MarksOf(std::string_view body, const NumberStyle& style) {
  const size_t dots = CountOf(body, '.');
  const size_t commas = CountOf(body, ',');
  Marks marks = {.group = GroupMarkOf(body)};
  if (dots > 0 && commas > 0) {
    if (marks.group != '\0') return {};
    marks.decimal = body.rfind('.') > body.rfind(',') ? '.' : ',';
    marks.group = marks.decimal == '.' ? ',' : '.';
    return marks;
  }
  if (dots == 0 && commas == 0) return marks;
  const char mark = dots > 0 ? '.' : ',';
  if (marks.group != '\0') {
    marks.decimal = mark;
    return marks;
  }
  const bool may_be_group = IsGrouped(body, mark);
  const NumberStyle::Mark meant = mark == '.' ? style.dot : style.comma;
  const bool is_group =
      dots + commas > 1 || (may_be_group && meant == NumberStyle::Mark::kGroup);
  (is_group ? marks.group : marks.decimal) = mark;
  return marks;
}

// "1,234.5" -> "1234.5"; nullopt if it is malformed.
std::optional<std::string> PlainDigits(std::string_view body, const Marks& marks) {
  std::string_view whole = body;
  std::string_view decimals;
  if (marks.decimal != '\0') {
    const size_t point = body.find(marks.decimal);
    whole = body.substr(0, point);
    decimals = body.substr(point + 1);
    if (!std::all_of(decimals.begin(), decimals.end(), IsDigit)) return {};
  }
  if (marks.group != '\0' && CountOf(whole, marks.group) > 0 &&
      !IsGrouped(whole, marks.group)) {
    return {};
  }
  std::string plain =
      marks.group != '\0' ? Without(whole, marks.group) : std::string(whole);
  if (!std::all_of(plain.begin(), plain.end(), IsDigit)) return {};
  if (!decimals.empty()) plain += "." + std::string(decimals);
  return plain;
}

}  // namespace

void NumberStyleEvidence::AddOneMark(std::string_view body, char mark, int64_t line) {
  const bool is_dot = mark == '.';
  const Seen seen = {std::string(body), line};
  const auto keep = [&](Sighting& sighting) {
    if (!sighting) sighting = seen;
  };
  if (CountOf(body, mark) > 1) {
    if (IsGrouped(body, mark)) keep(is_dot ? dot_group_ : comma_group_);
    return;
  }
  if (IsGrouped(body, mark)) {
    keep(is_dot ? dot_either_ : comma_either_);
    return;
  }
  constexpr size_t kDecimalsOfWidePages = 6;
  const size_t decimals = body.size() - body.find(mark) - 1;
  if (is_dot && decimals == kDecimalsOfWidePages) {
    keep(dot_decimal_of_six_);
  } else {
    keep(is_dot ? dot_decimal_ : comma_decimal_);
  }
}

void NumberStyleEvidence::Add(std::string_view text, int64_t line) {
  const std::optional<Parts> parts = Take(text);
  if (!parts || !parts->exponent.empty()) return;
  const std::string& body = parts->body;
  const size_t dots = CountOf(body, '.');
  const size_t commas = CountOf(body, ',');
  const auto keep = [&](Sighting& sighting) {
    if (!sighting) sighting = Seen{body, line};
  };
  if (CountOf(body, ' ') > 0) keep(space_group_);
  if (CountOf(body, '\'') > 0) keep(apostrophe_group_);
  if (dots > 0 && commas > 0) {
    const bool is_dot_decimal = body.rfind('.') > body.rfind(',');
    keep(is_dot_decimal ? dot_decimal_ : comma_decimal_);
    keep(is_dot_decimal ? comma_group_ : dot_group_);
    return;
  }
  if (dots == 0 && commas == 0) return;
  const char mark = dots > 0 ? '.' : ',';
  if (GroupMarkOf(body) != '\0') {
    // 1 234,5: the other separator is the decimal one.
    keep(mark == '.' ? dot_decimal_ : comma_decimal_);
    return;
  }
  AddOneMark(body, mark, line);
}

std::string NumberStyleEvidence::Example() const {
  const bool is_comma_decimal = comma_decimal_.has_value();
  if (apostrophe_group_) return "1'234.5";
  if (space_group_) return is_comma_decimal ? "1 234,5" : "1 234.5";
  if (is_comma_decimal) return dot_group_ || dot_either_ ? "1.234,5" : "1234,5";
  if (dot_group_) return "1.234";
  if (comma_group_ || comma_either_) return "1,234.5";
  return "1234.5";
}

Result<NumberStyle> NumberStyleEvidence::Decide() const {
  const auto contradiction = [](const Seen& a, const Seen& b) {
    return Error(ErrorCode::kParse, "line " + std::to_string(a.line) +
                                        " has the number '" + a.text + "', line " +
                                        std::to_string(b.line) + " has '" + b.text +
                                        "': different locales; run ncu with LC_ALL=C");
  };
  if (dot_decimal_ && dot_group_) return contradiction(*dot_decimal_, *dot_group_);
  if (comma_decimal_ && comma_group_)
    return contradiction(*comma_decimal_, *comma_group_);
  if (dot_decimal_ && comma_decimal_)
    return contradiction(*dot_decimal_, *comma_decimal_);

  NumberStyle style;
  style.example = Example();
  // ncu writes two decimals or six: three digits after a comma are thousands, unless the
  // comma was seen before decimals.
  if (comma_decimal_) style.comma = NumberStyle::Mark::kDecimal;
  const bool is_dot_decimal = dot_decimal_ || comma_group_ || comma_either_ ||
                              apostrophe_group_ || (space_group_ && !dot_group_);
  if (is_dot_decimal) return style;
  if (dot_group_ || comma_decimal_ || dot_decimal_of_six_) {
    style.dot = NumberStyle::Mark::kGroup;
    return style;
  }
  if (!dot_either_) return style;
  return Error(
      ErrorCode::kParse,
      "line " + std::to_string(dot_either_->line) + ": the number '" + dot_either_->text +
          "' is ambiguous: three decimals or a thousands separator; run ncu with "
          "LC_ALL=C");
}

std::optional<double> ParseNcuNumber(std::string_view text, const NumberStyle& style,
                                     int exponent) {
  const std::optional<Parts> parts = Take(text);
  if (!parts) return {};
  const std::optional<Marks> marks = MarksOf(parts->body, style);
  if (!marks) return {};
  std::optional<std::string> plain = PlainDigits(parts->body, *marks);
  if (!plain) return {};
  if (!parts->exponent.empty()) {
    const std::string_view digits = parts->exponent.substr(
        parts->exponent.starts_with("e+") || parts->exponent.starts_with("E+") ? 2 : 1);
    int own = 0;
    const char* const end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, own);
    constexpr int kMost = 1000;
    if (parsed.ec != std::errc() || parsed.ptr != end || std::abs(own) > kMost) return {};
    exponent += own;
  }
  // In a single conversion, so that 1.17 s is exactly 1170000000 ns.
  *plain += "e" + std::to_string(exponent);
  double number = 0;
  const char* const end = plain->data() + plain->size();
  const auto parsed = std::from_chars(plain->data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(number)) return {};
  return parts->is_negative ? -number : number;
}

}  // namespace ridgeline::profiles
