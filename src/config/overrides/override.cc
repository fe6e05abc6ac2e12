#include "config/overrides/override.h"

#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

// Hydra passes a sweep inside a container to OmegaConf as if it were a structured config;
// this is the resulting OmegaConf error.
Error NestedSweep(const ParsedValue& sweep) {
  return Error(
      ErrorKind::kValidation,
      "Unexpected type annotation: Set[str]\n    full_key: tags\n    object_type=" +
          std::string(TypeName(sweep)));
}

// Why OmegaConf rejects `pattern` as an item of a list of str.
Error NotAString(const ParsedValue& pattern, const std::string& path, size_t index) {
  const std::string type(TypeName(pattern));
  const bool container =
      pattern.As<ParsedList>() != nullptr || pattern.As<ParsedDict>() != nullptr;
  const std::string what =
      container ? "Cannot convert '" + type + "' to string: '" + Repr(pattern) + "'"
                : "Invalid type assigned: " + type +
                      " is not a subclass of str. value: " + Repr(pattern);
  // Objects are rejected before the item gets a place in the list.
  const std::string where =
      container || pattern.IsNull()
          ? path + "[" + std::to_string(index) +
                "]\n    reference_type=List[str]\n    object_type=list"
          : std::to_string(index) + "\n    object_type=None";
  return Error(ErrorKind::kValidation, what + "\n    full_key: " + where);
}

// A glob inside a container becomes {include: [..], exclude: [..]}, both lists of str.
Result<Value> PlainPatterns(const ParsedList& patterns, const std::string& path) {
  List plain;
  for (const ParsedValue& pattern : patterns) {
    const Scalar* scalar = pattern.As<Scalar>();
    if (scalar == nullptr || std::holds_alternative<Null>(*scalar)) {
      return NotAString(pattern, path, plain.size());
    }
    plain.emplace_back(Str(Value(*scalar)));
  }
  return Value(std::move(plain));
}

Result<Value> PlainGlob(const Glob& glob) {
  RIDGELINE_TRY(Value include, PlainPatterns(glob.include, "include"));
  RIDGELINE_TRY(Value exclude, PlainPatterns(glob.exclude, "exclude"));
  Dict dict;
  dict.Set(Scalar(std::string("include")), std::move(include));
  dict.Set(Scalar(std::string("exclude")), std::move(exclude));
  return Value(std::move(dict));
}

Result<Value> Plain(const ParsedValue& value) {
  if (const Scalar* scalar = value.As<Scalar>()) return Value(*scalar);
  if (const QuotedString* quoted = value.As<QuotedString>()) return Value(quoted->text);
  if (const Glob* glob = value.As<Glob>()) return PlainGlob(*glob);
  if (const ParsedList* list = value.As<ParsedList>()) {
    List plain;
    plain.reserve(list->size());
    for (const ParsedValue& item : *list) {
      RIDGELINE_TRY(Value plain_item, Plain(item));
      plain.push_back(std::move(plain_item));
    }
    return Value(std::move(plain));
  }
  if (const ParsedDict* dict = value.As<ParsedDict>()) {
    Dict plain;
    for (const auto& [key, item] : *dict) {
      RIDGELINE_TRY(Value plain_item, Plain(item));
      plain.Set(key, std::move(plain_item));
    }
    return Value(std::move(plain));
  }
  return NestedSweep(value);
}

void AppendEscaped(std::string_view text, std::string& out) {
  constexpr std::string_view kSpecial = "\\()[]{}:=, \t";
  for (const char c : text) {
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
}

void AppendScalar(const Scalar& scalar, std::string& out) {
  if (const std::string* text = std::get_if<std::string>(&scalar)) {
    AppendEscaped(*text, out);
  } else if (std::holds_alternative<Null>(scalar)) {
    out += "null";
  } else {
    out += Str(Value(scalar));
  }
}

// Backslashes are doubled only before a quote, including the closing one.
void AppendQuoted(const QuotedString& quoted, std::string& out) {
  out += quoted.quote;
  size_t backslashes = 0;
  for (const char c : quoted.text) {
    if (c == quoted.quote) out.append(backslashes + 1, '\\');
    backslashes = c == '\\' ? backslashes + 1 : 0;
    out += c;
  }
  out.append(backslashes, '\\');
  out += quoted.quote;
}

void AppendPlain(const Value& value, std::string& out) {
  if (value.is_scalar()) {
    AppendScalar(value.scalar(), out);
  } else if (value.is_list()) {
    out += '[';
    const char* separator = "";
    for (const Value& item : value.list()) {
      out += separator;
      AppendPlain(item, out);
      separator = ",";
    }
    out += ']';
  } else {
    out += '{';
    const char* separator = "";
    for (const auto& [key, item] : value.dict()) {
      out += separator;
      AppendScalar(key, out);
      out += ':';
      AppendPlain(item, out);
      separator = ",";
    }
    out += '}';
  }
}

Status AppendElement(const ParsedValue& value, std::string& out);

Status AppendList(const ParsedList& list, std::string& out) {
  out += '[';
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ',';
    RIDGELINE_RETURN_IF_ERROR(AppendElement(list[i], out));
  }
  out += ']';
  return Ok();
}

Status AppendDict(const ParsedDict& dict, std::string& out) {
  out += '{';
  const char* separator = "";
  for (const auto& [key, item] : dict) {
    out += separator;
    AppendScalar(key, out);
    out += ':';
    RIDGELINE_RETURN_IF_ERROR(AppendElement(item, out));
    separator = ",";
  }
  out += '}';
  return Ok();
}

Status AppendElement(const ParsedValue& value, std::string& out) {
  if (const ParsedList* list = value.As<ParsedList>()) return AppendList(*list, out);
  if (const ParsedDict* dict = value.As<ParsedDict>()) return AppendDict(*dict, out);
  if (const Scalar* scalar = value.As<Scalar>()) {
    AppendScalar(*scalar, out);
    return Ok();
  }
  if (const QuotedString* quoted = value.As<QuotedString>()) {
    AppendQuoted(*quoted, out);
    return Ok();
  }
  RIDGELINE_TRY(const Value plain, Plain(value));
  AppendPlain(plain, out);
  return Ok();
}

std::string_view Prefix(OverrideType type) {
  switch (type) {
    case OverrideType::kChange:
      return "";
    case OverrideType::kAdd:
      return "+";
    case OverrideType::kForceAdd:
      return "++";
    case OverrideType::kDelete:
      return "~";
  }
  return "";
}

}  // namespace

std::string_view ValueTypeName(ValueType type) {
  switch (type) {
    case ValueType::kElement:
      return "ELEMENT";
    case ValueType::kSimpleChoiceSweep:
      return "SIMPLE_CHOICE_SWEEP";
    case ValueType::kChoiceSweep:
      return "CHOICE_SWEEP";
    case ValueType::kRangeSweep:
      return "RANGE_SWEEP";
    case ValueType::kIntervalSweep:
      return "INTERVAL_SWEEP";
    case ValueType::kGlobChoiceSweep:
      return "GLOB_CHOICE_SWEEP";
  }
  return "";
}

bool Override::IsHydra() const {
  return key_or_group.starts_with("hydra.") || key_or_group.starts_with("hydra/");
}

std::string Override::KeyElement() const {
  std::string text(Prefix(type));
  text += key_or_group;
  if (package) text += "@" + *package;
  return text;
}

Result<Value> Override::PlainValue() const { return Plain(value); }

Result<std::string> Override::ValueElementAsString() const {
  if (value.IsSweep()) return Error(ErrorKind::kHydra, "Cannot convert sweep to str");
  return RenderElement(value);
}

Result<std::string> RenderElement(const ParsedValue& value) {
  std::string text;
  RIDGELINE_RETURN_IF_ERROR(AppendElement(value, text));
  return text;
}

}  // namespace ridgeline::config
