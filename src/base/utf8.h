// Decoding, encoding and truncation of UTF-8.
//
// Invalid bytes are handled like the original programs do: tokenizers replace each
// maximal subpart by one U+FFFD (ToValidUtf8), readers of profiles each byte
// (ReplaceBrokenUtf8), and the configuration keeps the byte (config::DecodeUtf8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ridgeline {

// U+FEFF, written at the beginning of files by some programs.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// One character, or invalid bytes.
struct Utf8Step {
  size_t length = 0;        // In bytes; 0 only at the end of the text.
  char32_t code_point = 0;  // U+FFFD if invalid.
  bool is_valid = false;
};

// The first character of `text`. For invalid bytes, the longest sequence that could begin
// a character, at least one byte (Unicode's "maximal subpart", as in Rust's
// from_utf8_lossy).
Utf8Step NextUtf8(std::string_view text);

// The last character of a non-empty valid text.
Utf8Step LastUtf8(std::string_view text);

bool IsValidUtf8(std::string_view text);

// The text with one U+FFFD for each invalid step.
std::string ToValidUtf8(std::string_view text);

// The text with one U+FFFD for each invalid byte.
std::string ReplaceBrokenUtf8(std::string_view text);

void AppendUtf8(char32_t code_point, std::string& out);

// Unicode's White_Space, which is \s in Rust and Oniguruma.
bool IsWhiteSpace(char32_t code_point);

// Truncation of long foreign text between UTF-8 characters.

inline bool IsInsideCharacter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// At most `most` bytes from the beginning.
inline std::string_view HeadOf(std::string_view text, size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && IsInsideCharacter(text[most])) --most;
  return text.substr(0, most);
}

// At most `most` bytes from the end.
inline std::string_view TailOf(std::string_view text, size_t most) {
  if (text.size() <= most) return text;
  size_t begin = text.size() - most;
  while (begin < text.size() && IsInsideCharacter(text[begin])) ++begin;
  return text.substr(begin);
}

// If longer than `most` bytes, with its middle replaced by `mark`.
inline std::string ElideMiddle(std::string_view text, size_t most,
                               std::string_view mark) {
  if (text.size() <= most) return std::string(text);
  std::string cut(HeadOf(text, most / 2));
  cut += mark;
  cut += TailOf(text, most / 2);
  return cut;
}

}  // namespace ridgeline
