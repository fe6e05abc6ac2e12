#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

#include "base/characters.h"
#include "model_io/tokenizers/regex.h"

namespace ridgeline::tokenizers {
namespace {

// Oniguruma's \w, for use in brackets.
constexpr std::string_view kWordMembers = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";

class Translator {
 public:
  explicit Translator(std::string_view pattern) : rest_(pattern) {}

  Result<std::string> Run() && {
    while (problem_.empty() && !rest_.empty()) {
      const char c = rest_.front();
      if (c == '\\') {
        TakeEscape();
      } else if (in_class_) {
        TakeInClass();
      } else {
        TakeOutside();
      }
    }
    if (problem_.empty()) return std::move(out_);
    return Error(ErrorCode::kUnsupported, fmt::format("{} is not supported", problem_));
  }

 private:
  void Copy(size_t count) {
    out_ += rest_.substr(0, count);
    rest_.remove_prefix(std::min(count, rest_.size()));
  }

  void Replace(size_t count, std::string_view with) {
    out_ += with;
    rest_.remove_prefix(count);
  }

  void Refuse(std::string_view what) { problem_ = what; }

  void TakeEscape() {
    if (rest_.size() < 2) return Copy(1);
    const char c = rest_[1];
    switch (c) {
      case 's':
        return Replace(2, R"(\p{White_Space})");
      case 'S':
        return Replace(2, R"(\P{White_Space})");
      case 'w':
        return Replace(
            2, in_class_ ? std::string(kWordMembers) : fmt::format("[{}]", kWordMembers));
      case 'W':
        if (in_class_) return Refuse(R"([...\W...])");
        return Replace(2, fmt::format("[^{}]", kWordMembers));
      case 'v':
        return Replace(2, R"(\x0b)");
      case 'u':
        return TakeCodePoint();
      case 'p':
      case 'P':
        return TakeProperty();
      default:
        break;
    }
    constexpr std::string_view kSameForBoth = "AZadeDfnrtxz";
    if (IsLetter(c) && kSameForBoth.find(c) == std::string_view::npos) {
      return Refuse(rest_.substr(0, 2));
    }
    Copy(2);
  }

  // \u00e9
  void TakeCodePoint() {
    constexpr size_t kEscapeSize = 6;
    const std::string_view digits = rest_.substr(2, kEscapeSize - 2);
    const bool is_hex = std::all_of(digits.begin(), digits.end(), [](char c) {
      return std::isxdigit(static_cast<unsigned char>(c)) != 0;
    });
    if (!is_hex || digits.size() != kEscapeSize - 2) return Refuse(R"(\u)");
    Replace(kEscapeSize, fmt::format(R"(\x{{{}}})", digits));
  }

  // \p{L}, \P{Lu}, \p{^N}, \p{Han}
  void TakeProperty() {
    const size_t end = rest_.find('}');
    if (rest_.size() < 3 || rest_[2] != '{' || end == std::string_view::npos) {
      return Refuse(rest_.substr(0, 2));
    }
    std::string_view name = rest_.substr(3, end - 3);
    const bool is_negated = name.starts_with('^');
    if (is_negated) name.remove_prefix(1);
    if (name.empty() || !std::all_of(name.begin(), name.end(),
                                     [](char c) { return IsLetter(c) || c == '_'; })) {
      return Refuse(rest_.substr(0, end + 1));
    }
    // General categories have one or two letters; longer names are scripts.
    constexpr size_t kCategorySizeMax = 2;
    Replace(end + 1, fmt::format(R"(\{}{{{}{}{}}})", rest_[1], is_negated ? "^" : "",
                                 name.size() > kCategorySizeMax ? "sc:" : "", name));
  }

  void TakeInClass() {
    if (rest_.front() == '[') return Refuse("'[' within [...]");
    if (rest_.starts_with("&&")) return Refuse("'&&' within [...]");
    if (rest_.front() == ']') in_class_ = false;
    Copy(1);
  }

  void TakeOutside() {
    switch (rest_.front()) {
      case '[': {
        in_class_ = true;
        Copy(rest_.substr(1).starts_with('^') ? 2 : 1);
        // A bracket that would close an empty class is a literal.
        if (rest_.starts_with(']')) Copy(1);
        return;
      }
      case '^':
      case '$':
        return Refuse(rest_.substr(0, 1));
      case '(':
        return TakeGroup();
      case '{':
        return TakeRepeat();
      default:
        Copy(1);
    }
  }

  void TakeGroup() {
    constexpr std::array<std::string_view, 8> kSameForBoth = {
        "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:", "(?i)"};
    if (!rest_.starts_with("(?") && !rest_.starts_with("(*")) return Copy(1);
    for (const std::string_view group : kSameForBoth) {
      if (rest_.starts_with(group)) return Copy(group.size());
    }
    Refuse(rest_.substr(0, 3));
  }

  // {2}, {2,}, {1,3}; any other brace is a literal.
  void TakeRepeat() {
    size_t end = 1;
    bool has_comma = false;
    const auto skip_digits = [&] {
      const size_t begin = end;
      while (end < rest_.size() && IsDigit(rest_[end])) ++end;
      return end > begin;
    };
    const bool has_minimum = skip_digits();
    if (end < rest_.size() && rest_[end] == ',') {
      has_comma = true;
      ++end;
      skip_digits();
    }
    if (end >= rest_.size() || rest_[end] != '}') return Copy(1);
    // {,3} is literal in PCRE2; {1,3}+ is a repetition of a repetition in Oniguruma but
    // possessive in PCRE2; {3}? means "three or none" in Oniguruma.
    if (!has_minimum) return Refuse(rest_.substr(0, end + 1));
    const char after = end + 1 < rest_.size() ? rest_[end + 1] : '\0';
    if (after == '+' || (after == '?' && !has_comma)) {
      return Refuse(rest_.substr(0, end + 2));
    }
    Copy(end + 1);
  }

  std::string_view rest_;
  std::string out_;
  bool in_class_ = false;
  std::string problem_;
};

}  // namespace

Result<std::string> TranslatePattern(std::string_view pattern) {
  return Translator(pattern).Run();
}

}  // namespace ridgeline::tokenizers
