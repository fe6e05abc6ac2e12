#include "config/value/yaml_number.h"

#include <cstddef>

#include "base/characters.h"

namespace ridgeline::config {
namespace {

// Cursor over a text; every Take* advances past its match.
class NumberCursor {
 public:
  explicit NumberCursor(std::string_view text) : text_(text) {}

  bool AtEnd() const { return at_ == text_.size(); }
  char Peek() const { return AtEnd() ? '\0' : text_[at_]; }

  bool Take(char wanted) {
    if (Peek() != wanted || AtEnd()) return false;
    ++at_;
    return true;
  }
  bool TakeSign() { return Take('+') || Take('-'); }
  bool TakeE() { return Take('e') || Take('E'); }

  // Consumes characters while `belongs` is true; returns their number.
  template <typename Belongs>
  size_t TakeWhile(Belongs belongs) {
    const size_t start = at_;
    while (!AtEnd() && belongs(text_[at_])) ++at_;
    return at_ - start;
  }
  size_t TakeDigits() { return TakeWhile(IsDigit); }
  size_t TakeDigitsAndUnderscores() {
    return TakeWhile([](char c) { return IsDigit(c) || c == '_'; });
  }

  // (:[0-5]?[0-9])+
  bool TakeSexagesimalTail() {
    size_t parts = 0;
    while (Take(':')) {
      const char first = Peek();
      const size_t digits = TakeDigits();
      if (digits == 0 || digits > 2 || (digits == 2 && first > '5')) return false;
      ++parts;
    }
    return parts > 0;
  }

  std::string_view rest() const { return text_.substr(at_); }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

template <typename Belongs>
bool AllAndSome(std::string_view text, Belongs belongs) {
  for (const char c : text) {
    if (!belongs(c)) return false;
  }
  return !text.empty();
}

// After a leading zero: b101, xFF, 17, or nothing.
bool IsIntAfterZero(std::string_view rest) {
  if (rest.empty()) return true;
  const auto binary = [](char c) { return c == '0' || c == '1' || c == '_'; };
  const auto octal = [](char c) { return (c >= '0' && c <= '7') || c == '_'; };
  const auto hex = [](char c) {
    return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '_';
  };
  if (rest.front() == 'b') return AllAndSome(rest.substr(1), binary);
  if (rest.front() == 'x') return AllAndSome(rest.substr(1), hex);
  return AllAndSome(rest, octal);
}

bool IsInfinity(std::string_view rest) {
  return rest == "inf" || rest == "Inf" || rest == "INF";
}

bool IsNan(std::string_view rest) {
  return rest == "nan" || rest == "NaN" || rest == "NAN";
}

// [eE][-+][0-9]+ to the end.
bool IsSignedExponent(NumberCursor cursor) {
  return cursor.TakeE() && cursor.TakeSign() && cursor.TakeDigits() > 0 && cursor.AtEnd();
}

// After the leading point: inf, nan, or a fraction. Only inf may have a sign.
bool IsFloatAfterPoint(NumberCursor cursor, bool has_sign) {
  if (IsInfinity(cursor.rest())) return true;
  if (has_sign) return false;
  if (IsNan(cursor.rest())) return true;
  if (!IsDigit(cursor.Peek())) return false;
  cursor.TakeDigitsAndUnderscores();
  return cursor.AtEnd() || IsSignedExponent(cursor);
}

}  // namespace

bool IsYamlInt(std::string_view text) {
  NumberCursor cursor(text);
  cursor.TakeSign();
  if (cursor.Take('0')) return IsIntAfterZero(cursor.rest());
  if (!IsDigit(cursor.Peek())) return false;
  cursor.TakeDigitsAndUnderscores();
  if (cursor.AtEnd()) return true;
  return cursor.TakeSexagesimalTail() && cursor.AtEnd();
}

bool IsYamlFloat(std::string_view text) {
  NumberCursor cursor(text);
  const bool has_sign = cursor.TakeSign();
  if (cursor.Take('.')) return IsFloatAfterPoint(cursor, has_sign);
  if (!IsDigit(cursor.Peek())) return false;
  cursor.TakeDigitsAndUnderscores();
  if (cursor.Take('.')) {
    cursor.TakeDigitsAndUnderscores();
    return cursor.AtEnd() || IsSignedExponent(cursor);
  }
  if (!cursor.TakeSexagesimalTail() || !cursor.Take('.')) return false;
  cursor.TakeDigitsAndUnderscores();
  return cursor.AtEnd();
}

bool IsOmegaConfFloat(std::string_view text) {
  NumberCursor cursor(text);
  cursor.TakeSign();
  // Underscores are only allowed between digits here.
  do {
    if (cursor.TakeDigits() == 0) return false;
  } while (cursor.Take('_'));
  if (cursor.Take('.')) cursor.TakeDigitsAndUnderscores();
  if (!cursor.TakeE()) return false;
  cursor.TakeSign();
  return cursor.TakeDigits() > 0 && cursor.AtEnd();
}

}  // namespace ridgeline::config
