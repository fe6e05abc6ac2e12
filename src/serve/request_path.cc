#include "serve/site.h"

namespace ridgeline::serve {
namespace {

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::optional<std::string> Decoded(std::string_view part) {
  std::string text;
  for (size_t i = 0; i < part.size(); ++i) {
    if (part[i] != '%') {
      text += part[i];
      continue;
    }
    if (i + 2 >= part.size()) return std::nullopt;
    const std::optional<int> high = HexDigit(part[i + 1]);
    const std::optional<int> low = HexDigit(part[i + 2]);
    if (!high || !low) return std::nullopt;
    text += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  return text;
}

bool IsName(std::string_view part) {
  return !part.empty() && part != "." && part != ".." &&
         part.find_first_of(std::string_view("/\0", 2)) == std::string_view::npos;
}

}  // namespace

std::optional<std::vector<std::string>> PathParts(std::string_view target) {
  target = target.substr(0, target.find_first_of("?#"));
  if (!target.starts_with('/')) return std::nullopt;
  std::vector<std::string> parts;
  if (target == "/") return parts;
  for (size_t begin = 1; begin <= target.size();) {
    const size_t end = std::min(target.find('/', begin), target.size());
    std::optional<std::string> part = Decoded(target.substr(begin, end - begin));
    if (!part || !IsName(*part)) return std::nullopt;
    parts.push_back(std::move(*part));
    begin = end + 1;
  }
  return parts;
}

}  // namespace ridgeline::serve
