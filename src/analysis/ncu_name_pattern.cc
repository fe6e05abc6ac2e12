#include "analysis/ncu_name_pattern.h"

#include <cctype>
#include <optional>

namespace ridgeline::analysis {
namespace {

constexpr const char* kAnyCast = "(\\([A-Za-z_][A-Za-z0-9_: ]*\\))?";

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "(int)" of "(int)128", "(unsigned long)" of "(unsigned long)4"; empty where there is no
// cast of a number.
std::string_view CastAt(std::string_view text) {
  if (!text.starts_with('(')) return "";
  const size_t close = text.find(')');
  if (close == std::string_view::npos || close + 1 >= text.size()) return "";
  for (const char c : text.substr(1, close - 1)) {
    if (!IsWordCharacter(c) && c != ' ' && c != ':') return "";
  }
  const char next = text[close + 1];
  return IsDigit(next) || next == '-' ? text.substr(0, close + 1) : "";
}

std::string_view WordAt(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && IsWordCharacter(text[end])) ++end;
  return text.substr(0, end);
}

// Reads a name from its begin to its end.
class Writer {
 public:
  explicit Writer(std::string_view name) : rest_(name) {}

  std::string Write() {
    while (!rest_.empty()) {
      if (SkipSpaces() || Literal() || Word()) continue;
      Sign();
    }
    return std::move(pattern_);
  }

 private:
  void Take(size_t count) {
    previous_ = rest_[count - 1];
    rest_.remove_prefix(count);
  }

  // Between two words a space means something, elsewhere it is taste.
  bool SkipSpaces() {
    if (rest_.front() != ' ') return false;
    const char before = previous_;
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    const bool between_words =
        IsWordCharacter(before) && !rest_.empty() && IsWordCharacter(rest_.front());
    pattern_ += between_words ? " +" : " *";
    after_space_ = true;
    return true;
  }

  // A number or a truth, in a list of arguments, with or without a cast.
  bool Literal() {
    const bool begins_argument = previous_ == '<' || previous_ == ',';
    if (!begins_argument) return false;
    const std::string_view cast = CastAt(rest_);
    const std::string_view value = WordAt(rest_.substr(cast.size()));
    if (value == "true" || value == "false" || cast == "(bool)") {
      const bool is_true = value == "true" || value == "1";
      Space();
      pattern_ += is_true ? "(true|(\\(bool\\))?1)" : "(false|(\\(bool\\))?0)";
      Take(cast.size() + value.size());
      return true;
    }
    const bool is_negative = rest_.substr(cast.size()).starts_with('-');
    if (!is_negative && (value.empty() || !IsDigit(value.front()))) return false;
    Space();
    pattern_ += kAnyCast;
    if (!cast.empty()) Take(cast.size());
    if (is_negative) {
      pattern_ += '-';
      Take(1);
    }
    return Word() || true;
  }

  bool Word() {
    const std::string_view word = WordAt(rest_);
    if (word.empty()) return false;
    if (!IsWordCharacter(previous_) || after_space_) Space();
    pattern_ += word;
    Take(word.size());
    return true;
  }

  void Sign() {
    Space();
    constexpr std::string_view kSpecial = "\\^$.|?*+()[]{}/";
    if (kSpecial.find(rest_.front()) != std::string_view::npos) pattern_ += '\\';
    pattern_ += rest_.front();
    Take(1);
  }

  // Taste again: wherever a sign is, spaces may be. Not at the begin, and only once.
  void Space() {
    if (!after_space_ && !pattern_.empty()) pattern_ += " *";
    after_space_ = false;
  }

  std::string_view rest_;
  std::string pattern_;
  char previous_ = '\0';
  bool after_space_ = false;
};

}  // namespace

std::string NcuNamePattern(std::string_view demangled) {
  return Writer(demangled).Write();
}

}  // namespace ridgeline::analysis
