// Spelling of bytes in byte-level vocabularies: each of the 256 as one printable
// character, so that any bytes become text without spaces. The bytes 21..7E, A1..AC and
// AE..FF are the characters with the same number; the others, in order, are U+0100,
// U+0101 and so on (the space, 20, is U+0120: "Ġthe").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridgeline::tokenizers {

// The character of one byte, in UTF-8.
std::string_view SpellingOfByte(uint8_t byte);

// Appends the bytes spelled as characters.
void AppendSpelling(std::string_view bytes, std::string& out);

// Appends the bytes spelled by a token. A token with a character outside the alphabet,
// such as "<|a b|>", spells itself.
void AppendBytesOfSpelling(std::string_view token, std::string& out);

}  // namespace ridgeline::tokenizers
