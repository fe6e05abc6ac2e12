#include "profiles/kernel_pattern.h"

#include <algorithm>

#include "base/characters.h"

namespace ridgeline::profiles {
namespace {

bool IsNameChar(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Translates a name to a pattern from left to right.
class PatternWriter {
 public:
  explicit PatternWriter(std::string_view name) : name_(name) {}

  std::string Write() {
    while (at_ < name_.size()) {
      if (!TakeBlanks() && !TakeArgument() && !TakeWord()) TakePunctuation();
    }
    return "^" + pattern_ + "$";
  }

 private:
  char Peek(size_t at) const { return at < name_.size() ? name_[at] : '\0'; }

  // The last non-blank character before `at`.
  char Before(size_t at) const {
    while (at > 0 && name_[at - 1] == ' ') --at;
    return at > 0 ? name_[at - 1] : '\0';
  }
  char After(size_t at) const {
    while (Peek(at) == ' ') ++at;
    return Peek(at);
  }

  // A blank is significant only between two words.
  bool TakeBlanks() {
    if (name_[at_] != ' ') return false;
    const char before = Before(at_);
    while (Peek(at_) == ' ') ++at_;
    pattern_ += IsNameChar(before) && IsNameChar(Peek(at_)) ? " " : " ?";
    return true;
  }

  // The end of "(int)", "(at::Kind)" at `at`; `at` itself if no number follows.
  size_t EndOfCast(size_t at) const {
    if (Peek(at) != '(') return at;
    size_t end = at + 1;
    while (IsNameChar(Peek(end)) ||
           (Peek(end) != '\0' &&
            std::string_view(" :<>").find(Peek(end)) != std::string_view::npos)) {
      ++end;
    }
    if (end == at + 1 || Peek(end) != ')') return at;
    const char next = Peek(end + 1);
    return IsDigit(next) || next == '-' ? end + 1 : at;
  }

  // A template argument that is a value: "(int)128", "2ul", "true".
  bool TakeArgument() {
    const char before = Before(at_);
    if (before != '<' && before != ',') return false;
    const size_t begin = EndOfCast(at_);
    size_t end = begin + (Peek(begin) == '-' ? 1 : 0);
    while (IsNameChar(Peek(end))) ++end;
    const std::string_view value = name_.substr(begin, end - begin);
    const char after = After(end);
    if (value.empty() || (after != ',' && after != '>')) return false;
    const bool is_word = value == "true" || value == "false";
    if (!is_word && !IsInteger(value)) return false;
    WriteArgument(name_.substr(at_, begin - at_), value);
    at_ = end;
    return true;
  }

  static std::string_view WithoutSuffix(std::string_view integer) {
    return integer.substr(0, integer.find_last_not_of("uUlL") + 1);
  }

  static bool IsInteger(std::string_view text) {
    std::string_view digits = WithoutSuffix(text);
    if (digits.starts_with('-')) digits.remove_prefix(1);
    return !digits.empty() && std::all_of(digits.begin(), digits.end(), IsDigit);
  }

  void WriteArgument(std::string_view cast, std::string_view value) {
    if (value == "true" || value == "false") {
      cast = "(bool)";
      value = value == "true" ? "1" : "0";
    }
    const std::string digits(WithoutSuffix(value));
    const std::string any_cast = cast.empty() ? R"(\([^()]*\))" : RegexQuoted(cast);
    const std::string number = "(" + any_cast + ")?" + digits + "[uUlL]*";
    const bool may_be_bool =
        (cast.empty() || cast == "(bool)") && (digits == "0" || digits == "1");
    if (may_be_bool) {
      pattern_ += "(" + number + (digits == "1" ? "|true)" : "|false)");
    } else {
      pattern_ += number;
    }
  }

  // A name with its namespaces: "at::native::" is one optional group.
  bool TakeWord() {
    if (!IsNameChar(name_[at_])) return false;
    size_t begin_of_last = at_;
    size_t end = at_;
    while (true) {
      while (IsNameChar(Peek(end))) ++end;
      if (name_.substr(end, 2) != "::") break;
      end += 2;
      begin_of_last = end;
      if (!IsNameChar(Peek(end))) {
        begin_of_last = std::min(end + 1, name_.size());
        end = begin_of_last;
        break;
      }
    }
    if (begin_of_last > at_) {
      const std::string_view dropped = name_.substr(at_, begin_of_last - at_);
      pattern_ += "(" + RegexQuoted(dropped) + ")?";
    }
    pattern_ += name_.substr(begin_of_last, end - begin_of_last);
    at_ = end;
    return true;
  }

  void TakePunctuation() {
    const char c = name_[at_++];
    const bool may_follow_a_blank = c == '*' || c == '&';
    if (may_follow_a_blank && at_ > 1 && name_[at_ - 2] != ' ') pattern_ += " ?";
    pattern_ += RegexQuoted({&c, 1});
    const char next = Peek(at_);
    const bool may_precede_a_blank =
        (c == '>' && next == '>') || (c == ',' && next != ' ');
    if (may_precede_a_blank) pattern_ += " ?";
  }

  std::string_view name_;
  size_t at_ = 0;
  std::string pattern_;
};

}  // namespace

std::string RegexQuoted(std::string_view text) {
  constexpr std::string_view kSpecial = R"(\^$.|?*+()[]{})";
  std::string quoted;
  for (const char c : text) {
    if (c == '\n') {
      quoted += "\\n";
      continue;
    }
    if (kSpecial.find(c) != std::string_view::npos) quoted += '\\';
    quoted += c;
  }
  return quoted;
}

std::string NcuNamePattern(std::string_view demangled) {
  return PatternWriter(demangled).Write();
}

}  // namespace ridgeline::profiles
