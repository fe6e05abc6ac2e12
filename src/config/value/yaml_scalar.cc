#include "config/value/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "config/value/base64.h"
#include "config/value/python_text.h"
#include "config/value/yaml_number.h"
#include "config/value/yaml_timestamp.h"

namespace ridgeline::config {
namespace {

// Summing base-60 digits is quadratic in their number; clock times have three.
constexpr size_t kMaxSexagesimalParts = 1000;

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

constexpr std::array<std::pair<std::string_view, YamlTag>, 14> kTags = {{
    {"tag:yaml.org,2002:null", YamlTag::kNull},
    {"tag:yaml.org,2002:bool", YamlTag::kBool},
    {"tag:yaml.org,2002:int", YamlTag::kInt},
    {"tag:yaml.org,2002:float", YamlTag::kFloat},
    {"tag:yaml.org,2002:str", YamlTag::kStr},
    {"tag:yaml.org,2002:binary", YamlTag::kBinary},
    {"tag:yaml.org,2002:timestamp", YamlTag::kTimestamp},
    {"tag:yaml.org,2002:omap", YamlTag::kOmap},
    {"tag:yaml.org,2002:pairs", YamlTag::kPairs},
    {"tag:yaml.org,2002:set", YamlTag::kSet},
    {"tag:yaml.org,2002:seq", YamlTag::kSeq},
    {"tag:yaml.org,2002:map", YamlTag::kMap},
    {"tag:yaml.org,2002:merge", YamlTag::kMerge},
    {"tag:yaml.org,2002:value", YamlTag::kValue},
}};

// The words have three accepted spellings: null, Null, NULL.
bool IsSpelledWord(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  const auto upper = [](char c) { return static_cast<char>(c - 'a' + 'A'); };
  if (text.front() != lower.front() && text.front() != upper(lower.front())) return false;
  const std::string_view tail = text.substr(1);
  if (tail == lower.substr(1)) return true;
  return std::equal(text.begin(), text.end(), lower.begin(),
                    [&](char a, char b) { return a == upper(b); });
}

std::optional<bool> BoolWord(std::string_view text) {
  for (const std::string_view word : {"yes", "true", "on"}) {
    if (IsSpelledWord(text, word)) return true;
  }
  for (const std::string_view word : {"no", "false", "off"}) {
    if (IsSpelledWord(text, word)) return false;
  }
  return std::nullopt;
}

enum class Flavor { kOmegaConfLoader, kPyYamlDumper };

YamlTag Resolve(std::string_view text, Flavor flavor) {
  if (text.empty()) return YamlTag::kNull;
  const char first = text.front();
  if ((first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.') {
    if (IsYamlInt(text)) return YamlTag::kInt;
    if (IsYamlFloat(text)) return YamlTag::kFloat;
    if (flavor == Flavor::kOmegaConfLoader) {
      return IsOmegaConfFloat(text) ? YamlTag::kFloat : YamlTag::kStr;
    }
    return IsImplicitTimestamp(text) ? YamlTag::kTimestamp : YamlTag::kStr;
  }
  if (text.size() > 5) return YamlTag::kStr;  // "false" is the longest word.
  if (text == "~" || IsSpelledWord(text, "null")) return YamlTag::kNull;
  if (BoolWord(text)) return YamlTag::kBool;
  if (text == "<<") return YamlTag::kMerge;
  if (text == "=") return YamlTag::kValue;
  return YamlTag::kStr;
}

std::string WithoutUnderscores(std::string_view text) {
  std::string kept(text);
  std::erase(kept, '_');
  return kept;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

Result<Scalar> ConstructBool(std::string_view text) {
  const std::optional<bool> value = BoolWord(Lower(text));
  if (!value) return Error(ErrorKind::kKey, Repr(Lower(text)));
  return Scalar(*value);
}

Result<Integer> BadInt(std::string_view text, int base) {
  return Error(ErrorKind::kValue, "invalid literal for int() with base " +
                                      std::to_string(base) + ": " + Repr(text));
}

Result<Integer> DecimalInt(std::string_view text) {
  const std::optional<Integer> value = ParsePythonInt(text);
  if (!value) return BadInt(text, 10);
  return *value;
}

// int(text, base); Python accepts the base's prefix as well: 0o17.
Result<Integer> IntOfBase(std::string_view text, int base, char prefix) {
  std::string_view digits = text;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) == prefix) {
    digits.remove_prefix(2);
  }
  const std::optional<Integer> value = Integer::Parse(digits, base);
  if (!value) return BadInt(text, base);
  return *value;
}

// "1:20:30" is 4830. Returns the parts between the colons.
Result<std::vector<std::string_view>> SexagesimalParts(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(':', start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
    if (parts.size() > kMaxSexagesimalParts) {
      return Error(ErrorKind::kLimit, "a base-60 number has more than 1000 parts");
    }
  }
  return parts;
}

Result<Integer> SexagesimalInt(std::string_view text) {
  RIDGELINE_TRY(const std::vector<std::string_view> parts, SexagesimalParts(text));
  Integer value;
  for (const std::string_view part : parts) {
    RIDGELINE_TRY(const Integer digit, DecimalInt(part));
    value = value * Integer(60) + digit;
  }
  return value;
}

Result<Integer> UnsignedInt(std::string_view text) {
  if (text.starts_with("0b")) return IntOfBase(text.substr(2), 2, 'b');
  if (text.starts_with("0x")) return IntOfBase(text.substr(2), 16, 'x');
  if (text.starts_with("0") && text != "0") return IntOfBase(text, 8, 'o');
  if (text.find(':') != std::string_view::npos) return SexagesimalInt(text);
  return DecimalInt(text);
}

Error EmptyNumber() { return Error(ErrorKind::kValue, "string index out of range"); }

Result<Scalar> ConstructInt(std::string_view text) {
  const std::string digits = WithoutUnderscores(text);
  if (digits.empty()) return EmptyNumber();
  const bool has_sign = digits.front() == '-' || digits.front() == '+';
  const std::string_view rest = std::string_view(digits).substr(has_sign ? 1 : 0);
  if (rest.empty()) return EmptyNumber();
  RIDGELINE_TRY(const Integer value, UnsignedInt(rest));
  return Scalar(digits.front() == '-' ? -value : value);
}

Result<double> PlainFloat(std::string_view text) {
  const std::optional<double> value = ParsePythonFloat(text);
  if (value) return *value;
  return Error(ErrorKind::kValue, "could not convert string to float: " + Repr(text));
}

// Sums from the last part to the first, in Python's rounding order.
Result<double> SexagesimalFloat(std::string_view text) {
  RIDGELINE_TRY(const std::vector<std::string_view> parts, SexagesimalParts(text));
  double value = 0;
  double base = 1;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    RIDGELINE_TRY(const double digit, PlainFloat(*part));
    value += digit * base;
    base *= 60;
  }
  return value;
}

Result<double> UnsignedFloat(std::string_view text) {
  if (text == ".inf") return std::numeric_limits<double>::infinity();
  if (text == ".nan") return std::numeric_limits<double>::quiet_NaN();
  if (text.find(':') != std::string_view::npos) return SexagesimalFloat(text);
  return PlainFloat(text);
}

Result<Scalar> ConstructFloat(std::string_view text) {
  const std::string digits = Lower(WithoutUnderscores(text));
  if (digits.empty()) return EmptyNumber();
  const bool has_sign = digits.front() == '-' || digits.front() == '+';
  RIDGELINE_TRY(const double value,
                UnsignedFloat(std::string_view(digits).substr(has_sign ? 1 : 0)));
  return Scalar(digits.front() == '-' ? -value : value);
}

Result<Scalar> ConstructBinary(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) {
      return Error(ErrorKind::kYamlConstructor,
                   "failed to convert base64 data into ascii");
    }
  }
  std::optional<std::string> data = Base64Decode(text);
  if (data) return Scalar(Bytes{*std::move(data)});
  return Error(ErrorKind::kYamlConstructor,
               "failed to decode base64 data: Incorrect padding");
}

Result<Scalar> ConstructTimestamp(std::string_view text) {
  const std::optional<Timestamp> timestamp = ParseTimestamp(text);
  if (!timestamp) return Error(ErrorKind::kValue, "not a timestamp: " + Repr(text));
  return Scalar(Opaque{timestamp->has_time ? "datetime" : "date", std::string(text)});
}

}  // namespace

YamlTag TagFromName(std::string_view name) {
  if (!name.starts_with(kTagPrefix)) return YamlTag::kUnknown;
  for (const auto& [tag_name, tag] : kTags) {
    if (tag_name == name) return tag;
  }
  return YamlTag::kUnknown;
}

std::string_view TagName(YamlTag tag) {
  for (const auto& [tag_name, known] : kTags) {
    if (known == tag) return tag_name;
  }
  return "";
}

YamlTag ResolveLoaded(std::string_view text) {
  return Resolve(text, Flavor::kOmegaConfLoader);
}

YamlTag ResolveDumped(std::string_view text) {
  return Resolve(text, Flavor::kPyYamlDumper);
}

Result<Scalar> ConstructScalar(YamlTag tag, std::string_view text) {
  switch (tag) {
    case YamlTag::kNull:
      return Scalar(Null());
    case YamlTag::kBool:
      return ConstructBool(text);
    case YamlTag::kInt:
      return ConstructInt(text);
    case YamlTag::kFloat:
      return ConstructFloat(text);
    case YamlTag::kStr:
      return Scalar(std::string(text));
    case YamlTag::kBinary:
      return ConstructBinary(text);
    case YamlTag::kTimestamp:
      return ConstructTimestamp(text);
    case YamlTag::kOmap:
    case YamlTag::kPairs:
    case YamlTag::kSet:
    case YamlTag::kSeq:
    case YamlTag::kMap:
    case YamlTag::kMerge:
    case YamlTag::kValue:
    case YamlTag::kUnknown:
      break;
  }
  return Error(ErrorKind::kYamlConstructor,
               "could not determine a constructor for the tag " + Repr(TagName(tag)));
}

}  // namespace ridgeline::config
