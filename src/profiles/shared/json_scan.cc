#include "profiles/shared/json_scan.h"

#include <charconv>
#include <cstring>

#include "base/utf8.h"

namespace ridgeline::profiles {
namespace {

bool IsHexDigit(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// `p` is after a backslash.
const char* SkipEscape(const char* p, ScanFault& fault) {
  if (*p == 'u') {
    for (int i = 1; i <= 4; ++i) {
      if (!IsHexDigit(p[i])) return FaultAt(p + i, "expected four hex digits", fault);
    }
    return p + 5;
  }
  if (*p != '\0' && std::strchr("\"\\/bfnrt", *p) != nullptr) return p + 1;
  return FaultAt(p, "no such escape in a string", fault);
}

// `word` must be at `p`. If the text ends inside it, the error is at the end.
const char* SkipWord(const char* p, const char* word, ScanFault& fault) {
  for (; *word != '\0'; ++word, ++p) {
    if (*p != *word) return FaultAt(p, "expected a value", fault);
  }
  return p;
}

const char* SkipDigits(const char* p, ScanFault& fault) {
  if (!IsDigit(*p)) return FaultAt(p, "expected a digit", fault);
  while (IsDigit(*p)) ++p;
  return p;
}

const char* SkipArray(const char* p, int depth, ScanFault& fault) {
  p = SkipSpace(p + 1);
  if (*p == ']') return p + 1;
  while (true) {
    p = SkipValue(p, depth + 1, fault);
    if (p == nullptr) return nullptr;
    p = SkipSpace(p);
    if (*p == ']') return p + 1;
    if (*p != ',') return FaultAt(p, "expected ',' or ']' after a value", fault);
    p = SkipSpace(p + 1);
  }
}

// The four digits after "\u".
uint32_t HexAt(std::string_view raw, size_t begin) {
  uint32_t code = 0;
  std::from_chars(raw.data() + begin, raw.data() + begin + 4, code, 16);
  return code;
}

// `i` is at the 'u' of an escape and moves to its last character.
uint32_t CodeAt(std::string_view raw, size_t& i) {
  constexpr uint32_t kReplacement = 0xFFFD;
  const uint32_t code = HexAt(raw, i + 1);
  i += 4;
  if (code < 0xD800 || code > 0xDFFF) return code;
  const bool has_other_half = code < 0xDC00 && raw.substr(i + 1, 2) == "\\u";
  const uint32_t low = has_other_half ? HexAt(raw, i + 3) : 0;
  if (low < 0xDC00 || low > 0xDFFF) return kReplacement;
  i += 6;
  return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
}

char PlainEscape(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;  // A quote, a backslash, a slash.
  }
}

}  // namespace

const char* SkipEscapedString(const char* p, ScanFault& fault) {
  while (true) {
    p = FindSpecial(p);
    if (*p == '"') return p + 1;
    if (*p != '\\') return FaultAt(p, "a control character in a string", fault);
    p = SkipEscape(p + 1, fault);
    if (p == nullptr) return nullptr;
  }
}

const char* SkipAnyNumber(const char* p, ScanFault& fault) {
  if (*p == '-') ++p;
  if (*p == 'I') return SkipWord(p, "Infinity", fault);
  if (*p == '0') {
    ++p;
  } else {
    p = SkipDigits(p, fault);
    if (p == nullptr) return nullptr;
  }
  if (*p == '.') {
    p = SkipDigits(p + 1, fault);
    if (p == nullptr) return nullptr;
  }
  if (*p == 'e' || *p == 'E') {
    ++p;
    if (*p == '+' || *p == '-') ++p;
    p = SkipDigits(p, fault);
  }
  return p;
}

const char* SkipValue(const char* p, int depth, ScanFault& fault) {
  if (depth > kScanDepth) return FaultAt(p, "nested too deeply", fault);
  switch (*p) {
    case '"':
      p = FindSpecial(p + 1);
      return *p == '"' ? p + 1 : SkipEscapedString(p, fault);
    case '{':
      return ScanObject(p, fault, [&](const RawScalar& /*key*/, const char* value) {
        return SkipValue(value, depth + 1, fault);
      });
    case '[':
      return SkipArray(p, depth, fault);
    case 't':
      return SkipWord(p, "true", fault);
    case 'f':
      return SkipWord(p, "false", fault);
    case 'n':
      return SkipWord(p, "null", fault);
    case 'N':
      return SkipWord(p, "NaN", fault);
    case 'I':
      return SkipWord(p, "Infinity", fault);
    default:
      if (*p == '-' || IsDigit(*p)) return SkipNumber(p, fault);
      return FaultAt(p, "expected a value", fault);
  }
}

std::string Unescape(std::string_view raw) {
  std::string text;
  text.reserve(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      text += raw[i];
    } else if (raw[++i] == 'u') {
      AppendUtf8(CodeAt(raw, i), text);
    } else {
      text += PlainEscape(raw[i]);
    }
  }
  return text;
}

}  // namespace ridgeline::profiles
