#include "config/value/python_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/characters.h"
#include "config/value/unicode.h"

namespace ridgeline::config {
namespace {

// Python rejects longer decimal text in int() (sys.int_info).
constexpr size_t kMaxIntDigits = 4300;

// The parts of to_chars output such as "-1.25e-07": the digits without the point, and the
// power of ten of the first digit.
struct ShortDecimal {
  bool negative = false;
  std::string digits;
  int exponent = 0;
};

ShortDecimal ShortestDecimal(double value) {
  std::array<char, 32> buffer = {};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific)
                       .ptr;
  std::string_view text(buffer.data(), static_cast<size_t>(end - buffer.data()));
  ShortDecimal decimal;
  decimal.negative = text.front() == '-';
  if (decimal.negative) text.remove_prefix(1);
  const size_t e = text.find('e');
  std::string_view exponent = text.substr(e + 1);
  if (exponent.front() == '+') exponent.remove_prefix(1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), decimal.exponent);
  for (const char c : text.substr(0, e)) {
    if (c != '.') decimal.digits += c;
  }
  return decimal;
}

std::string Scientific(const ShortDecimal& decimal) {
  std::string text(1, decimal.digits.front());
  if (decimal.digits.size() > 1) text += "." + decimal.digits.substr(1);
  const std::string power = std::to_string(std::abs(decimal.exponent));
  text += decimal.exponent < 0 ? "e-" : "e+";
  if (power.size() < 2) text += '0';
  return text + power;
}

std::string Fixed(const ShortDecimal& decimal) {
  const std::string& digits = decimal.digits;
  if (decimal.exponent < 0) {
    return "0." + std::string(static_cast<size_t>(-decimal.exponent - 1), '0') + digits;
  }
  const size_t whole = static_cast<size_t>(decimal.exponent) + 1;
  if (digits.size() <= whole)
    return digits + std::string(whole - digits.size(), '0') + ".0";
  return digits.substr(0, whole) + "." + digits.substr(whole);
}

void AppendHex(std::string& text, char32_t code, int width) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (int shift = 4 * (width - 1); shift >= 0; shift -= 4) {
    text += kHex[(code >> shift) & 0xF];
  }
}

// Common to str and bytes: the quote, the backslash, the three short escapes.
bool AppendShortEscape(std::string& text, char32_t code, char quote) {
  switch (code) {
    case '\t':
      text += "\\t";
      return true;
    case '\n':
      text += "\\n";
      return true;
    case '\r':
      text += "\\r";
      return true;
    case '\\':
      text += "\\\\";
      return true;
    default:
      if (code != static_cast<unsigned char>(quote)) return false;
      text += '\\';
      text += quote;
      return true;
  }
}

void AppendEscaped(std::string& text, char32_t code) {
  if (code < 0x100) {
    text += "\\x";
    AppendHex(text, code, 2);
  } else if (code < 0x10000) {
    text += "\\u";
    AppendHex(text, code, 4);
  } else {
    text += "\\U";
    AppendHex(text, code, 8);
  }
}

char QuoteFor(std::string_view text) {
  const bool only_single = text.find('\'') != std::string_view::npos &&
                           text.find('"') == std::string_view::npos;
  return only_single ? '"' : '\'';
}

std::string BytesRepr(std::string_view data) {
  const char quote = QuoteFor(data);
  std::string text = std::string("b") + quote;
  for (const char c : data) {
    const auto byte = static_cast<unsigned char>(c);
    if (AppendShortEscape(text, byte, quote)) continue;
    if (byte >= 0x20 && byte < 0x7F) {
      text += c;
    } else {
      AppendEscaped(text, byte);
    }
  }
  return text + quote;
}

std::string ScalarRepr(const Scalar& scalar) {
  struct Visitor {
    std::string operator()(Null) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(const Integer& value) const { return value.ToString(); }
    std::string operator()(double value) const { return FloatRepr(value); }
    std::string operator()(const std::string& value) const { return Repr(value); }
    std::string operator()(const Bytes& value) const { return BytesRepr(value.data); }
    std::string operator()(const Opaque& value) const { return value.text; }
  };
  return std::visit(Visitor(), scalar);
}

std::string ListRepr(const List& list) {
  std::string text = "[";
  for (const Value& item : list) {
    if (text.size() > 1) text += ", ";
    text += Repr(item);
  }
  return text + "]";
}

std::string DictRepr(const Dict& dict) {
  std::string text = "{";
  for (const auto& [key, value] : dict) {
    if (text.size() > 1) text += ", ";
    text += ScalarRepr(key) + ": " + Repr(value);
  }
  return text + "}";
}

// Like CPython's _PyUnicode_TransformDecimalAndSpaceToASCII followed by strip: digits and
// spaces of other scripts become ASCII, other non-ASCII characters '?'.
std::string NumberText(std::string_view text) {
  std::string ascii;
  ascii.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const Utf8Character c = DecodeUtf8(text, i);
    i += c.length;
    if (c.valid && c.code < 0x80) {
      ascii += static_cast<char>(c.code);
    } else if (c.valid && IsSpace(c.code)) {
      ascii += ' ';
    } else if (const std::optional<int> digit = DecimalDigit(c.code); digit && c.valid) {
      ascii += static_cast<char>('0' + *digit);
    } else {
      ascii += '?';
    }
  }
  constexpr std::string_view kSpaces = " \t\n\v\f\r";
  const size_t first = ascii.find_first_not_of(kSpaces);
  if (first == std::string::npos) return "";
  return ascii.substr(first, ascii.find_last_not_of(kSpaces) - first + 1);
}

// Underscores are only allowed between two digits; empty if one is elsewhere.
std::optional<std::string> WithoutDigitSeparators(std::string_view text) {
  std::string digits;
  digits.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      digits += text[i];
    } else if (i == 0 || i + 1 == text.size() || !IsDigit(text[i - 1]) ||
               !IsDigit(text[i + 1])) {
      return std::nullopt;
    }
  }
  return digits;
}

size_t CountDigits(std::string_view text, size_t from) {
  size_t end = from;
  while (end < text.size() && IsDigit(text[end])) ++end;
  return end - from;
}

// [digits][.[digits]][e[sign]digits], at least one digit before the exponent.
bool IsDecimalFloat(std::string_view text) {
  size_t at = CountDigits(text, 0);
  size_t mantissa_digits = at;
  if (at < text.size() && text[at] == '.') {
    const size_t fraction = CountDigits(text, at + 1);
    mantissa_digits += fraction;
    at += 1 + fraction;
  }
  if (mantissa_digits == 0) return false;
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E') return false;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const size_t power = CountDigits(text, at);
  return power > 0 && at + power == text.size();
}

// The rounded value of out-of-range text: infinity or zero. The sign of the exponent
// decides once the number is written as 0.d1d2.. x 10^n.
double OutOfRange(std::string_view text) {
  const size_t e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  const size_t point = std::min(mantissa.find('.'), mantissa.size());
  const size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return 0.0;
  double power = static_cast<double>(point) - static_cast<double>(first);
  if (e != std::string_view::npos) {
    std::string_view exponent = text.substr(e + 1);
    const bool negative = exponent.front() == '-';
    if (!IsDigit(exponent.front())) exponent.remove_prefix(1);
    const double size = Integer::Parse(exponent)->ToDouble();
    power += negative ? -size : size;
  }
  return power > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

std::optional<double> ParseUnsignedFloat(std::string_view text) {
  if (EqualsIgnoringCase(text, "inf") || EqualsIgnoringCase(text, "infinity")) {
    return std::numeric_limits<double>::infinity();
  }
  if (EqualsIgnoringCase(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  if (!IsDecimalFloat(text)) return std::nullopt;
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc::result_out_of_range) return OutOfRange(text);
  return value;
}

}  // namespace

std::string FloatRepr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const ShortDecimal decimal = ShortestDecimal(value);
  const bool scientific = decimal.exponent < -4 || decimal.exponent >= 16;
  return (decimal.negative ? "-" : "") +
         (scientific ? Scientific(decimal) : Fixed(decimal));
}

std::string Repr(std::string_view text) {
  const char quote = QuoteFor(text);
  std::string out(1, quote);
  out.reserve(text.size() + 2);
  for (size_t i = 0; i < text.size();) {
    const Utf8Character c = DecodeUtf8(text, i);
    if (!c.valid) {
      // Python represents such bytes (from the environment) as lone surrogates.
      AppendEscaped(out, 0xDC00 + c.code);
    } else if (!AppendShortEscape(out, c.code, quote)) {
      if (IsPrintable(c.code)) {
        out.append(text.substr(i, c.length));
      } else {
        AppendEscaped(out, c.code);
      }
    }
    i += c.length;
  }
  return out + quote;
}

std::string Repr(const Value& value) {
  if (value.is_list()) return ListRepr(value.list());
  if (value.is_dict()) return DictRepr(value.dict());
  return ScalarRepr(value.scalar());
}

std::string Str(const Value& value) {
  return value.is_string() ? value.string() : Repr(value);
}

std::string TypeName(const Value& value) {
  if (value.is_list()) return "list";
  if (value.is_dict()) return "dict";
  struct Visitor {
    std::string operator()(Null) const { return "NoneType"; }
    std::string operator()(bool) const { return "bool"; }
    std::string operator()(const Integer&) const { return "int"; }
    std::string operator()(double) const { return "float"; }
    std::string operator()(const std::string&) const { return "str"; }
    std::string operator()(const Bytes&) const { return "bytes"; }
    std::string operator()(const Opaque& opaque) const { return opaque.type_name; }
  };
  return std::visit(Visitor(), value.scalar());
}

std::optional<Integer> ParsePythonInt(std::string_view text) {
  const std::optional<std::string> digits = WithoutDigitSeparators(NumberText(text));
  if (!digits) return std::nullopt;
  const bool has_sign =
      !digits->empty() && (digits->front() == '-' || digits->front() == '+');
  if (digits->size() - (has_sign ? 1 : 0) > kMaxIntDigits) return std::nullopt;
  return Integer::Parse(*digits);
}

std::optional<double> ParsePythonFloat(std::string_view text) {
  const std::optional<std::string> digits = WithoutDigitSeparators(NumberText(text));
  if (!digits || digits->empty()) return std::nullopt;
  std::string_view rest = *digits;
  const bool negative = rest.front() == '-';
  if (negative || rest.front() == '+') rest.remove_prefix(1);
  const std::optional<double> value = ParseUnsignedFloat(rest);
  if (!value) return std::nullopt;
  return negative ? -*value : *value;
}

}  // namespace ridgeline::config
