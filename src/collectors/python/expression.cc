#include "collectors/python/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

namespace ridgeline::python {
namespace {

// The item before the current position.
enum class Before {
  kNothing,   // Start of a branch, or an anchor: not repeatable.
  kItem,      // A character, class or group.
  kRepeated,  // "a*", after which "?" and "+" modify the repetition.
  kModified,  // "a*?"
};

// Reads digits; false on overflow.
bool TakeNumber(std::string_view& text, int64_t& number) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<size_t>(parsed.ptr - text.data()));
  return parsed.ec != std::errc::result_out_of_range;
}

class ExpressionScan {
 public:
  explicit ExpressionScan(std::string_view text) : text_(text) {}

  std::string Problem() {
    // Spaces and "#" have other meanings there.
    if (IsVerbose()) return "";
    while (problem_.empty() && at_ < text_.size()) Step();
    if (problem_.empty() && !open_.empty()) Fail("missing )", open_.back());
    return problem_;
  }

 private:
  void Fail(std::string_view what, size_t position) {
    problem_ = fmt::format("{} (position {})", what, position);
  }

  // "(?x)", "(?ix:"
  bool IsVerbose() const {
    for (size_t at = text_.find("(?"); at != text_.npos; at = text_.find("(?", at + 1)) {
      const size_t end = text_.find_first_not_of("aiLmsux", at + 2);
      if (text_.substr(at, end - at).find('x') != text_.npos) return true;
    }
    return false;
  }

  void Step() {
    const size_t position = at_;
    const char c = text_[at_++];
    switch (c) {
      case '\\':
        if (at_ == text_.size()) return Fail("a backslash at the end", position);
        ++at_;
        before_ = Before::kItem;
        return;
      case '[':
        return TakeClass(position);
      case '(':
        return Open(position);
      case ')':
        if (open_.empty()) return Fail("unbalanced )", position);
        open_.pop_back();
        before_ = Before::kItem;
        return;
      case '|':
      case '^':
      case '$':
        before_ = Before::kNothing;
        return;
      case '*':
      case '+':
      case '?':
        return Repeat(c, position);
      case '{':
        return TakeBounds(position);
      default:
        before_ = Before::kItem;
    }
  }

  void TakeClass(size_t position) {
    if (at_ < text_.size() && text_[at_] == '^') ++at_;
    if (at_ < text_.size() && text_[at_] == ']') ++at_;  // A leading "]" is a literal.
    while (at_ < text_.size() && text_[at_] != ']') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) return Fail("missing ]", position);
    ++at_;
    before_ = Before::kItem;
  }

  void Open(size_t position) {
    open_.push_back(position);
    before_ = Before::kNothing;
    if (!text_.substr(at_).starts_with('?')) return;
    if (text_.substr(at_).starts_with("?#")) {  // A comment.
      at_ = std::min(text_.find(')', at_), text_.size());
      return;
    }
    ++at_;
    // "(?:", "(?<!", "(?i-s:": kind of group.
    const size_t end = text_.find_first_not_of("aiLmsu-<", at_);
    constexpr std::string_view kLast = ":=!>";
    if (end != text_.npos && kLast.find(text_[end]) != kLast.npos) at_ = end + 1;
  }

  void Repeat(char c, size_t position) {
    switch (before_) {
      case Before::kNothing:
        return Fail("nothing to repeat", position);
      case Before::kItem:
        before_ = Before::kRepeated;
        return;
      case Before::kRepeated:
        if (c == '*') return Fail("multiple repeat", position);
        before_ = Before::kModified;
        return;
      case Before::kModified:
        return Fail("multiple repeat", position);
    }
  }

  // "{2}", "{2,}", "{,3}" and "{2,3}" are repetitions; anything else is literal.
  void TakeBounds(size_t position) {
    std::string_view rest = text_.substr(at_);
    const size_t end = rest.find_first_not_of("0123456789,");
    const std::string_view inside = rest.substr(0, end);
    const bool is_bounds = end != rest.npos && rest[end] == '}' && !inside.empty() &&
                           inside.find(',') == inside.rfind(',');
    if (!is_bounds) {
      before_ = Before::kItem;
      return;
    }
    int64_t min = 0;
    int64_t max = 0;
    const bool has_max = inside.back() != ',' && inside.find(',') != inside.npos;
    std::string_view numbers = inside;
    const bool fits = TakeNumber(numbers, min) &&
                      (!has_max || (numbers.remove_prefix(1), TakeNumber(numbers, max)));
    if (before_ == Before::kNothing) return Fail("nothing to repeat", position);
    if (before_ != Before::kItem) return Fail("multiple repeat", position);
    if (fits && has_max && min > max) return Fail("min repeat above max", position);
    at_ += end + 1;
    before_ = Before::kRepeated;
  }

  std::string_view text_;
  size_t at_ = 0;
  Before before_ = Before::kNothing;
  std::vector<size_t> open_;  // Positions of groups.
  std::string problem_;
};

}  // namespace

std::string ExpressionProblem(std::string_view text) {
  return ExpressionScan(text).Problem();
}

}  // namespace ridgeline::python
