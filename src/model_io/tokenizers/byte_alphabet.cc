#include "model_io/tokenizers/byte_alphabet.h"

#include <array>
#include <cstddef>

#include "base/utf8.h"

namespace ridgeline::tokenizers {
namespace {

constexpr size_t kByteCount = 256;
// Bytes without a printable character: 00..20, 7F..A0 and AD.
constexpr size_t kMovedCount = 68;
constexpr size_t kCharacterCount = kByteCount + kMovedCount;
constexpr int16_t kNoByte = -1;

constexpr bool SpellsItself(size_t byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

struct Alphabet {
  std::array<std::string, kByteCount> character_of_byte;
  std::array<int16_t, kCharacterCount> byte_of_character;
};

Alphabet MakeAlphabet() {
  Alphabet alphabet;
  alphabet.byte_of_character.fill(kNoByte);
  size_t moved = kByteCount;
  for (size_t byte = 0; byte < kByteCount; ++byte) {
    const size_t character = SpellsItself(byte) ? byte : moved++;
    AppendUtf8(static_cast<char32_t>(character), alphabet.character_of_byte[byte]);
    alphabet.byte_of_character[character] = static_cast<int16_t>(byte);
  }
  return alphabet;
}

const Alphabet& TheAlphabet() {
  static const Alphabet alphabet = MakeAlphabet();
  return alphabet;
}

}  // namespace

std::string_view SpellingOfByte(uint8_t byte) {
  return TheAlphabet().character_of_byte[byte];
}

void AppendSpelling(std::string_view bytes, std::string& out) {
  for (const char byte : bytes) out += SpellingOfByte(static_cast<uint8_t>(byte));
}

void AppendBytesOfSpelling(std::string_view token, std::string& out) {
  const auto& byte_of_character = TheAlphabet().byte_of_character;
  const size_t begin = out.size();
  std::string_view rest = token;
  while (!rest.empty()) {
    const Utf8Step step = NextUtf8(rest);
    const bool is_spelling = step.code_point < kCharacterCount &&
                             byte_of_character[step.code_point] != kNoByte;
    if (!is_spelling) {
      out.resize(begin);
      out += token;
      return;
    }
    out += static_cast<char>(byte_of_character[step.code_point]);
    rest.remove_prefix(step.length);
  }
}

}  // namespace ridgeline::tokenizers
