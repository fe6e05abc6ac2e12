#include "config/value/redact.h"

#include "base/secrets.h"
#include "config/value/python_text.h"
#include "config/value/yaml_dump.h"
#include "config/value/yaml_load.h"

namespace ridgeline::config {
namespace {

bool IsScalar(const Value& value) { return !value.is_dict() && !value.is_list(); }

Value Redacted(const Value& value, const std::string& name);

// A list can be a command line, where the value of a flag is the next item.
Value RedactedList(const List& list, const std::string& name) {
  std::vector<std::string> words;
  for (const Value& item : list) words.push_back(IsScalar(item) ? Str(item) : "");
  const std::vector<std::string> redacted = ridgeline::WithoutSecrets(words);
  List changed;
  for (size_t i = 0; i < list.size(); ++i) {
    const bool is_changed = redacted[i] != words[i];
    changed.push_back(is_changed ? Value(redacted[i]) : Redacted(list[i], name));
  }
  return Value(std::move(changed));
}

// `name` is the nearest key that could identify the value.
Value Redacted(const Value& value, const std::string& name) {
  if (value.is_dict()) {
    Dict dict;
    for (const auto& [key, child] : value.dict()) {
      const std::string own = Str(Value(key));
      dict.Set(key, Redacted(child, NamesASecret(name) ? name : own));
    }
    return Value(std::move(dict));
  }
  if (value.is_list()) return RedactedList(value.list(), name);
  const std::string text = Str(value);
  const std::string shown = ValueWithoutSecrets(name, text);
  return shown == text ? value : Value(shown);
}

}  // namespace

Value WithoutSecrets(const Value& value) { return Redacted(value, ""); }

std::string YamlWithoutSecrets(const std::string& yaml) {
  const Result<Value> value = LoadYaml(yaml, "configuration");
  if (!value.ok()) return ridgeline::WithoutSecrets(yaml);
  const Value shown = WithoutSecrets(value.value());
  return PythonEqual(shown, value.value()) ? yaml : DumpYaml(shown);
}

}  // namespace ridgeline::config
