#include "config/tree/simple_interpolation.h"

#include <cstddef>

namespace ridgeline::config {
namespace {

constexpr std::string_view kOpening = "${";

class SimpleInterpolation {
 public:
  // The text after "${".
  explicit SimpleInterpolation(std::string_view rest) : rest_(rest) {}

  // Its length including "}"; 0 if it is not a simple interpolation.
  size_t Match() {
    if (MatchNode() || MatchResolver()) return at_;
    return 0;
  }

 private:
  static bool IsSpaceCharacter(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  static bool IsLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
  static bool IsWord(char c) { return IsLetter(c) || (c >= '0' && c <= '9'); }
  static bool IsKey(char c) { return IsWord(c) || c == '$'; }
  static bool IsName(char c) { return IsWord(c) || c == '-'; }
  static bool IsArgument(char c) {
    return IsWord(c) || std::string_view("/-+.$%*@?|").find(c) != std::string_view::npos;
  }

  bool Take(char c) {
    if (at_ >= rest_.size() || rest_[at_] != c) return false;
    ++at_;
    return true;
  }
  // Whether there was at least one.
  bool TakeAll(bool (*is_one)(char)) {
    const size_t begin = at_;
    while (at_ < rest_.size() && is_one(rest_[at_])) ++at_;
    return at_ > begin;
  }
  void SkipSpace() { TakeAll(IsSpaceCharacter); }

  bool TakeKey() {
    if (Take('[')) return TakeAll(IsKey) && Take(']');
    return TakeAll(IsKey);
  }
  bool TakeId() { return at_ < rest_.size() && IsLetter(rest_[at_]) && TakeAll(IsName); }

  // \s* .* key (.key | [key])* \s* }
  bool MatchNode() {
    at_ = 0;
    SkipSpace();
    while (Take('.')) {
    }
    if (!TakeKey()) return false;
    while (true) {
      if (Take('.')) {
        if (!TakeAll(IsKey)) return false;
      } else if (at_ < rest_.size() && rest_[at_] == '[') {
        if (!TakeKey()) return false;
      } else {
        break;
      }
    }
    SkipSpace();
    return Take('}');
  }

  // \s* [id(.id)*] \s* : \s* arg (\s* , \s* arg)* \s* }
  bool MatchResolver() {
    at_ = 0;
    SkipSpace();
    if (TakeId()) {
      while (Take('.')) {
        if (!TakeId()) return false;
      }
    }
    SkipSpace();
    if (!Take(':')) return false;
    do {
      SkipSpace();
      if (!TakeAll(IsArgument)) return false;
      SkipSpace();
    } while (Take(','));
    return Take('}');
  }

  std::string_view rest_;
  size_t at_ = 0;
};

}  // namespace

bool HoldsOnlySimpleInterpolations(std::string_view text) {
  size_t open = text.find(kOpening);
  while (open != std::string_view::npos) {
    const size_t begin = open + kOpening.size();
    const size_t length = SimpleInterpolation(text.substr(begin)).Match();
    if (length == 0) return false;
    open = text.find(kOpening, begin + length);
  }
  return true;
}

}  // namespace ridgeline::config
