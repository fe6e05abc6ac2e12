// How byte-level vocabularies spell bytes: each of the 256 as one printable character,
// so that any bytes are a text without spaces. The bytes 21..7E, A1..AC and AE..FF are
// the characters of the same number; the others, in order, are U+0100, U+0101 and so on
// (the space, 20, is U+0120: "Ġthe").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridgeline::tokenizers {

// The character of one byte, in UTF-8.
std::string_view SpellingOfByte(uint8_t byte);

// The bytes spelled as characters.
void AppendSpelling(std::string_view bytes, std::string& out);

// The bytes that a token spells. A token with a character of another alphabet, such as
// "<|a b|>", spells itself.
void AppendBytesOfSpelling(std::string_view token, std::string& out);

}  // namespace ridgeline::tokenizers
