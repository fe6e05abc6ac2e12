// Texts of others' that are too long, cut between characters of UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline {

inline bool IsInsideCharacter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// At most so many bytes of the beginning.
inline std::string_view HeadOf(std::string_view text, size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && IsInsideCharacter(text[most])) --most;
  return text.substr(0, most);
}

// At most so many bytes of the end.
inline std::string_view TailOf(std::string_view text, size_t most) {
  if (text.size() <= most) return text;
  size_t begin = text.size() - most;
  while (begin < text.size() && IsInsideCharacter(text[begin])) ++begin;
  return text.substr(begin);
}

// Without its middle, for which `mark` stands, where it has more than `most` bytes.
inline std::string WithoutMiddle(std::string_view text, size_t most,
                                 std::string_view mark) {
  if (text.size() <= most) return std::string(text);
  std::string cut(HeadOf(text, most / 2));
  cut += mark;
  cut += TailOf(text, most / 2);
  return cut;
}

}  // namespace ridgeline
