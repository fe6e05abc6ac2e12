#include "config/value/yaml_dump.h"

#include <array>
#include <cmath>
#include <string_view>

#include "config/value/base64.h"
#include "config/value/python_text.h"
#include "config/value/yaml_scalar.h"
#include "config/value/yaml_style.h"
#include "config/value/yaml_writer.h"

namespace ridgeline::config {
namespace {

constexpr int kIndentStep = 2;

// A key that is longer, including its tag ("!!str"), is written after "? ".
constexpr size_t kMaxSimpleKeyLength = 128;

enum class Style { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral };

// A scalar as it will be written.
struct ScalarText {
  std::u32string characters;
  YamlTextTraits traits;
  YamlTag tag = YamlTag::kStr;
  bool must_be_quoted = false;
};

bool IsYamlBool(std::string_view text) {
  constexpr std::array<std::string_view, 22> kWords = {
      "y",    "Y",    "yes",   "Yes",   "YES",   "n",  "N",  "no", "No",  "NO",  "true",
      "True", "TRUE", "false", "False", "FALSE", "on", "On", "ON", "off", "Off", "OFF"};
  for (const std::string_view word : kWords) {
    if (word == text) return true;
  }
  return false;
}

// Whether Python's float() accepts it, which covers int() as well. For most strings the
// first letter already rules that out.
bool IsPythonNumber(std::string_view text) {
  if (text.empty()) return false;
  const char first = text.front();
  const bool is_word = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
  if (is_word && std::string_view("iInN").find(first) == std::string_view::npos) {
    return false;
  }
  return ParsePythonFloat(text).has_value();
}

// repr(), but always with the decimal point that YAML 1.1 requires: 1e+16 is 1.0e+16.
std::string FloatText(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value > 0 ? ".inf" : "-.inf";
  std::string text = FloatRepr(value);
  const size_t e = text.find('e');
  if (e != std::string::npos && text.find('.') == std::string::npos) text.insert(e, ".0");
  return text;
}

ScalarText MakeText(YamlTag tag, std::string_view text) {
  return {.characters = ToCharacters(text), .traits = {}, .tag = tag};
}

struct ToText {
  ScalarText operator()(Null) const { return MakeText(YamlTag::kNull, "null"); }
  ScalarText operator()(bool value) const {
    return MakeText(YamlTag::kBool, value ? "true" : "false");
  }
  ScalarText operator()(const Integer& value) const {
    return MakeText(YamlTag::kInt, value.ToString());
  }
  ScalarText operator()(double value) const {
    return MakeText(YamlTag::kFloat, FloatText(value));
  }
  ScalarText operator()(const std::string& value) const {
    ScalarText text = MakeText(YamlTag::kStr, value);
    text.traits = AnalyzeYamlText(text.characters);
    text.must_be_quoted = ResolveDumped(value) != YamlTag::kStr || IsYamlBool(value) ||
                          IsPythonNumber(value);
    return text;
  }
  ScalarText operator()(const Bytes& value) const {
    ScalarText text = MakeText(YamlTag::kBinary, Base64EncodeLines(value.data));
    text.traits.multiline = !value.data.empty();
    return text;
  }
  ScalarText operator()(const Opaque& value) const { return (*this)(value.text); }
};

bool IsSimpleKey(const ScalarText& key) {
  constexpr std::string_view kPrefix = "tag:yaml.org,2002:";
  const size_t tag_length = TagName(key.tag).size() - kPrefix.size() + 2;
  return !key.characters.empty() && !key.traits.multiline &&
         key.characters.size() + tag_length < kMaxSimpleKeyLength;
}

enum class ValuePlace { kRoot, kItem, kMappingValue, kSimpleKey };

Style ChooseStyle(const ScalarText& text, ValuePlace place) {
  if (text.tag == YamlTag::kBinary) {
    return text.characters.empty() ? Style::kDoubleQuoted : Style::kLiteral;
  }
  if (text.traits.may_be_plain && !text.must_be_quoted) return Style::kPlain;
  const bool line_would_break = place == ValuePlace::kSimpleKey && text.traits.multiline;
  if (text.traits.may_be_single_quoted && !line_would_break) return Style::kSingleQuoted;
  return Style::kDoubleQuoted;
}

class Dumper {
 public:
  std::string Dump(const Value& value) {
    WriteValue(value, ValuePlace::kRoot);
    writer_.Indent();
    if (writer_.open_ended) {
      writer_.Indicator("...");
      writer_.Indent();
    }
    return writer_.Take();
  }

 private:
  void WriteValue(const Value& value, ValuePlace place) {
    if (value.is_scalar()) {
      WriteScalar(std::visit(ToText(), value.scalar()), place);
    } else if (value.is_list()) {
      WriteList(value.list(), place);
    } else {
      WriteDict(value.dict());
    }
  }

  void WriteScalar(const ScalarText& text, ValuePlace place) {
    const int outer = writer_.indent;
    writer_.indent = outer < 0 ? kIndentStep : outer + kIndentStep;
    if (text.tag == YamlTag::kBinary) writer_.Indicator("!!binary");
    const auto folding = place == ValuePlace::kSimpleKey ? YamlWriter::Folding::kNever
                                                         : YamlWriter::Folding::kAllowed;
    switch (ChooseStyle(text, place)) {
      case Style::kPlain:
        if (place == ValuePlace::kRoot) writer_.open_ended = true;
        writer_.Plain(text.characters, folding);
        break;
      case Style::kSingleQuoted:
        writer_.SingleQuoted(text.characters, folding);
        break;
      case Style::kDoubleQuoted:
        writer_.DoubleQuoted(text.characters, folding);
        break;
      case Style::kLiteral:
        writer_.Literal(text.characters);
        break;
    }
    writer_.indent = outer;
  }

  void WriteEmpty(std::string_view open, std::string_view close) {
    writer_.Indicator(open, YamlWriter::After::kWhitespace);
    writer_.AdjacentIndicator(close);
  }

  void WriteList(const List& list, ValuePlace place) {
    if (list.empty()) return WriteEmpty("[", "]");
    const int outer = writer_.indent;
    // After "key:" the items are aligned with the key.
    const bool indentless = place == ValuePlace::kMappingValue && !writer_.at_indention();
    if (!indentless) writer_.indent = outer < 0 ? 0 : outer + kIndentStep;
    for (const Value& item : list) {
      writer_.Indent();
      writer_.Indicator("-", YamlWriter::After::kIndention);
      WriteValue(item, ValuePlace::kItem);
    }
    writer_.indent = outer;
  }

  void WriteDict(const Dict& dict) {
    if (dict.empty()) return WriteEmpty("{", "}");
    const int outer = writer_.indent;
    writer_.indent = outer < 0 ? 0 : outer + kIndentStep;
    for (const auto& [key, value] : dict) {
      const ScalarText text = std::visit(ToText(), key);
      writer_.Indent();
      if (IsSimpleKey(text)) {
        WriteScalar(text, ValuePlace::kSimpleKey);
        writer_.AdjacentIndicator(":");
      } else {
        writer_.Indicator("?", YamlWriter::After::kIndention);
        WriteScalar(text, ValuePlace::kMappingValue);
        writer_.Indent();
        writer_.Indicator(":", YamlWriter::After::kIndention);
      }
      WriteValue(value, ValuePlace::kMappingValue);
    }
    writer_.indent = outer;
  }

  YamlWriter writer_;
};

}  // namespace

std::string DumpYaml(const Value& value) { return Dumper().Dump(value); }

}  // namespace ridgeline::config
