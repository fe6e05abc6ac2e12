// UTF-8, as far as a tokenizer needs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ridgeline::tokenizers {

// One character, or a piece of what is none.
struct Utf8Step {
  size_t length = 0;        // In bytes; 0 only at the end of the text.
  char32_t code_point = 0;  // U+FFFD if it is no character.
  bool is_valid = false;
};

// What `text` begins with. Bytes that are no character are taken as far as they could
// have begun one and at least one at a time (the "maximal subpart" of the Unicode
// standard), which is how Rust's from_utf8_lossy counts them.
Utf8Step NextUtf8(std::string_view text);

// The last character of a valid text that is not empty.
Utf8Step LastUtf8(std::string_view text);

bool IsValidUtf8(std::string_view text);

// The text with one U+FFFD for each step that is no character.
std::string ToValidUtf8(std::string_view text);

void AppendUtf8(char32_t code_point, std::string& out);

// Unicode's White_Space, which is \s to Rust and to Oniguruma.
bool IsWhiteSpace(char32_t code_point);

}  // namespace ridgeline::tokenizers
