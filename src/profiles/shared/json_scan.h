// Scanner for JSON text in memory: every function takes a position in the text and
// returns the position after the scanned item, nullptr if that was not JSON. Skipped
// values are validated, too.
//
// The text must be followed by kScanPadding zero bytes. A zero byte is not part of JSON,
// so no function runs past the end; an error at or after the end means that more may
// follow.
//
// Inlined by force: compilers do not inline functions with many callers, which costs 5 %
// of an import.
//
// Python's NaN, Infinity and -Infinity are accepted as numbers, because its writers emit
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>

#include "base/characters.h"
#endif

namespace ridgeline::profiles {

inline constexpr size_t kScanPadding = 64;
// Deeper texts are rejected: they are meant to exhaust the stack.
inline constexpr int kScanDepth = 256;

struct ScanFault {
  const char* at = nullptr;
  const char* what = nullptr;  // "expected ','"
};

inline const char* FaultAt(const char* at, const char* what, ScanFault& fault) {
  fault = {at, what};
  return nullptr;
}

// A value that is not a container, as written; strings without quotes.
struct RawScalar {
  enum class Kind : uint8_t {
    kAbsent,
    kNumber,
    kString,
    kEscapedString,  // Text() is still escaped: see Unescape().
    kOther,          // true, false, null, an object or an array.
  };

  const char* begin = nullptr;
  uint32_t size = 0;
  Kind kind = Kind::kAbsent;

  std::string_view text() const { return {begin, size}; }
  bool is_string() const { return kind == Kind::kString || kind == Kind::kEscapedString; }
};

// The first non-space character from `p` on.
[[gnu::always_inline]] inline const char* SkipSpace(const char* p) {
  // Fast path: none, or one between a key and its value.
  if (static_cast<unsigned char>(*p) > ' ') return p;
  if (*p == ' ' && static_cast<unsigned char>(p[1]) > ' ') return p + 1;
#if defined(__SSE2__)
  while (true) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what SSE2 loads from.
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i is_space =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')),
                                  _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'))),
                     _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')),
                                  _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t'))));
    const auto others = static_cast<unsigned>(_mm_movemask_epi8(is_space)) ^ 0xFFFF;
    if (others != 0) return p + __builtin_ctz(others);
    p += sizeof(bytes);
  }
#else
  while (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t') ++p;
  return p;
#endif
}

// The first character from `p` on that ends a plain run in a string: a quote, a
// backslash, a control character.
[[gnu::always_inline]] inline const char* FindSpecial(const char* p) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i last_control = _mm_set1_epi8(0x1F);
  while (true) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what SSE2 loads from.
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i is_control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes);
    const __m128i is_special = _mm_or_si128(
        is_control,
        _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(is_special));
    if (mask != 0) return p + __builtin_ctz(mask);
    p += sizeof(bytes);
  }
#else
  while (static_cast<unsigned char>(*p) > 0x1F && *p != '"' && *p != '\\') ++p;
  return p;
#endif
}

// `p` is after the opening quote.
const char* SkipEscapedString(const char* p, ScanFault& fault);

// `p` is at the opening quote.
[[gnu::always_inline]] inline const char* ScanString(const char* p, RawScalar& string,
                                                     ScanFault& fault) {
  const char* const begin = p + 1;
  p = FindSpecial(begin);
  string.kind = RawScalar::Kind::kString;
  if (*p != '"') {
    string.kind = RawScalar::Kind::kEscapedString;
    p = SkipEscapedString(p, fault);
    if (p == nullptr) return nullptr;
    --p;
  }
  string.begin = begin;
  string.size = static_cast<uint32_t>(p - begin);
  return p + 1;
}

const char* SkipAnyNumber(const char* p, ScanFault& fault);

// `p` is at a digit or a minus.
[[gnu::always_inline]] inline const char* SkipNumber(const char* p, ScanFault& fault) {
  // Fast path: an integer that does not begin with 0, possibly with decimals.
  const char* const begin = p;
  while (IsDigit(*p)) ++p;
  const bool is_plain = p != begin && (*begin != '0' || p == begin + 1);
  if (is_plain && *p == '.' && IsDigit(p[1])) {
    for (++p; IsDigit(*p);) ++p;
  }
  if (is_plain && *p != '.' && *p != 'e' && *p != 'E') return p;
  return SkipAnyNumber(begin, fault);
}

// Any value; `depth`: number of enclosing containers.
const char* SkipValue(const char* p, int depth, ScanFault& fault);

// Any value; for containers only their kind.
[[gnu::always_inline]] inline const char* ScanValue(const char* p, RawScalar& value,
                                                    ScanFault& fault) {
  if (*p == '"') return ScanString(p, value, fault);
  const bool is_number = *p == '-' || IsDigit(*p);
  const char* const next = is_number ? SkipNumber(p, fault) : SkipValue(p, 1, fault);
  if (next == nullptr) return nullptr;
  value.kind = is_number ? RawScalar::Kind::kNumber : RawScalar::Kind::kOther;
  value.begin = p;
  value.size = static_cast<uint32_t>(next - p);
  return next;
}

// From the end of a key to its value.
[[gnu::always_inline]] inline const char* ScanColon(const char* p, ScanFault& fault) {
  p = SkipSpace(p);
  if (*p != ':') return FaultAt(p, "expected ':' after a key", fault);
  return SkipSpace(p + 1);
}

// Calls on_member(key, p) for every member of the object at `p`, with `p` at its value;
// it must return the position after the value, or nullptr on an error.
template <typename OnMember>
const char* ScanObject(const char* p, ScanFault& fault, OnMember on_member) {
  p = SkipSpace(p + 1);
  if (*p == '}') return p + 1;
  while (true) {
    if (*p != '"') return FaultAt(p, "expected a key in quotes", fault);
    RawScalar key;
    p = ScanString(p, key, fault);
    if (p == nullptr) return nullptr;
    p = ScanColon(p, fault);
    if (p == nullptr) return nullptr;
    p = on_member(key, p);
    if (p == nullptr) return nullptr;
    p = SkipSpace(p);
    if (*p == '}') return p + 1;
    if (*p != ',') return FaultAt(p, "expected ',' or '}' after a value", fault);
    p = SkipSpace(p + 1);
  }
}

// Decodes the escapes of a scanned string, such as \n and \u00e9; an unpaired surrogate
// becomes U+FFFD.
std::string Unescape(std::string_view raw);

}  // namespace ridgeline::profiles
