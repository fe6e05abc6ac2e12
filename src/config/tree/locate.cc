#include "config/tree/locate.h"

#include <cctype>
#include <map>
#include <string_view>

#include "config/tree/to_value.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

using Placeholders = std::map<std::string, std::string, std::less<>>;

bool StartsPlaceholder(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool ContinuesPlaceholder(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Length of the "$NAME" or "${NAME}" at the start of `text`, and the name; 0 if there is
// neither.
size_t MatchPlaceholder(std::string_view text, std::string_view& name) {
  const bool braced = text.size() > 1 && text[1] == '{';
  const size_t start = braced ? 2 : 1;
  size_t end = start;
  if (end < text.size() && StartsPlaceholder(text[end])) {
    while (end < text.size() && ContinuesPlaceholder(text[end])) ++end;
  }
  if (end == start) return 0;
  name = text.substr(start, end - start);
  if (!braced) return end;
  return end < text.size() && text[end] == '}' ? end + 1 : 0;
}

// Python's string.Template.safe_substitute: unknown names are unchanged.
std::string Substitute(std::string_view text, const Placeholders& fields) {
  std::string result;
  while (!text.empty()) {
    const size_t dollar = std::min(text.find('$'), text.size());
    result += text.substr(0, dollar);
    text.remove_prefix(dollar);
    if (text.empty()) break;
    std::string_view name;
    const size_t length = MatchPlaceholder(text, name);
    const auto field = length == 0 ? fields.end() : fields.find(name);
    if (field != fields.end()) {
      result += field->second;
      text.remove_prefix(length);
    } else {
      result += '$';
      text.remove_prefix(text.size() > 1 && text[1] == '$' ? 2 : 1);
    }
  }
  return result;
}

// OmegaConf raises its own variant of Python's classes.
ErrorKind Adopted(ErrorKind kind) {
  if (kind == ErrorKind::kType) return ErrorKind::kConfigType;
  return kind;
}

}  // namespace

Shown Show(const Value& value) { return {Str(value), TypeName(value)}; }

Shown Show(const Node& node) {
  const Value value = ToValue(node);
  if (node.is_scalar() || node.IsSpecial()) return Show(value);
  return {Str(value), node.is_dict() ? "DictConfig" : "ListConfig"};
}

Error Locate(Error error, const Node* node, const std::optional<Scalar>& key,
             const Shown& shown) {
  if (error.located || error.kind == ErrorKind::kAssertion ||
      error.kind == ErrorKind::kLimit) {
    return error;
  }
  const Value key_value = key ? Value(*key) : Value();
  std::string full_key = key_value.is_null() ? "" : Str(key_value);
  std::string object_type = "None";
  std::string reference;
  if (node != nullptr) {
    full_key = FullKey(*node, key);
    object_type = ObjectTypeName(*node);
    if (node->hint->kind != TypeHint::Kind::kAny) {
      reference = "\n    reference_type=" + node->hint->Name();
    }
    if (!error.origin.known()) error.origin = node->origin;
  }
  error.message = Substitute(error.message, {{"KEY", Str(key_value)},
                                             {"KEY_TYPE", TypeName(key_value)},
                                             {"FULL_KEY", full_key},
                                             {"OBJECT_TYPE", object_type},
                                             {"VALUE", shown.text},
                                             {"VALUE_TYPE", shown.type}});
  error.message +=
      "\n    full_key: " + full_key + reference + "\n    object_type=" + object_type;
  error.kind = Adopted(error.kind);
  error.located = true;
  return error;
}

}  // namespace ridgeline::config
