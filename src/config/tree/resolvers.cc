#include "config/tree/resolvers.h"

#include <string>
#include <utility>

#include "config/tree/build.h"
#include "config/tree/evaluate.h"
#include "config/tree/interpolation_parser.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "config/value/yaml_load.h"

namespace ridgeline::config {
namespace {

using ResolverArguments = std::vector<Resolved>;

Error TypeMismatch(std::string text) { return Error(ErrorKind::kType, std::move(text)); }

std::string TypeNameOf(const Resolved& argument) {
  if (const Value* value = std::get_if<Value>(&argument)) return TypeName(*value);
  return std::get<Node*>(argument)->is_dict() ? "DictConfig" : "ListConfig";
}

const std::string* AsText(const Resolved& argument) {
  const Value* value = std::get_if<Value>(&argument);
  return value != nullptr && value->is_string() ? &value->string() : nullptr;
}

// Wraps a resolver so that it is only called with `least` to `most` arguments.
Resolver WithCount(const std::string& name, size_t least, size_t most,
                   Resolver resolver) {
  return [=, resolver =
                 std::move(resolver)](const ResolverInput& input) -> Result<Resolved> {
    const size_t count = input.arguments.size();
    if (count < least || count > most) {
      return TypeMismatch(name + "() takes " + std::to_string(least) +
                          (least == most ? "" : " to " + std::to_string(most)) +
                          " arguments but " + std::to_string(count) + " were given");
    }
    return resolver(input);
  };
}

Result<std::string> TextArgument(const ResolverInput& input, size_t index) {
  if (const std::string* text = AsText(input.arguments[index])) return *text;
  return TypeMismatch("str expected, not " + TypeNameOf(input.arguments[index]));
}

Result<Resolved> Create(const ResolverInput& input) {
  const Value* value = std::get_if<Value>(&input.arguments[0]);
  Value data = value != nullptr ? *value : ToValue(*std::get<Node*>(input.arguments[0]));
  if (data.is_string()) {
    RIDGELINE_TRY(data, LoadYaml(data.string(), "<unicode string>"));
    if (data.is_null()) data = Dict();
    if (data.is_string()) {
      Dict single;
      single.Set(data.scalar(), Value());
      data = std::move(single);
    }
    if (data.is_scalar()) {
      return Error(ErrorKind::kAssertion,
                   "oc.create: the text is neither a list nor a dict");
    }
  }
  RIDGELINE_TRY(Node * root, CreateRoot(input.workspace, data, input.node.origin.source));
  root->parent = &input.parent;
  return Resolved(root);
}

Result<Resolved> Decode(const ResolverInput& input) {
  const Resolved& argument = input.arguments[0];
  const Value* value = std::get_if<Value>(&argument);
  if (value != nullptr && value->is_null()) return Resolved(Value());
  const std::string* text = AsText(argument);
  if (text == nullptr) {
    return TypeMismatch("`oc.decode` can only take strings or None as input, but `" +
                        StrOf(argument) + "` is of type " + TypeNameOf(argument));
  }
  RIDGELINE_TRY(const Element element, ParseElement(*text));
  RIDGELINE_TRY(Resolved decoded, EvaluateElement(input.workspace, element, input.parent,
                                                  input.node, nullptr));
  return Unwrapped(std::move(decoded));
}

// The node at an absolute or relative key; null if there is none.
Result<Node*> SelectNode(const ResolverInput& input, const std::string& key,
                         bool fail_on_missing) {
  RIDGELINE_TRY(const KeyBase base, ResolveBase(input.parent, key));
  Result<Selected> selected = SelectFrom(input.workspace, *base.root, base.key,
                                         {.fail_on_missing = fail_on_missing});
  if (selected.ok()) return selected.value().node;
  if (selected.error().kind == ErrorKind::kConfigType) return nullptr;
  return std::move(selected).error();
}

void ReplaceInPlace(std::string& text, std::string_view from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

Result<Resolved> Deprecated(const ResolverInput& input) {
  const std::string* key = AsText(input.arguments[0]);
  if (key == nullptr) {
    return TypeMismatch("oc.deprecated: interpolation key type is not a string (" +
                        TypeNameOf(input.arguments[0]) + ")");
  }
  std::string message =
      "'$OLD_KEY' is deprecated. Change your code and config to use '$NEW_KEY'";
  if (input.arguments.size() > 1) {
    const std::string* text = AsText(input.arguments[1]);
    if (text == nullptr) {
      return TypeMismatch("oc.deprecated: interpolation message type is not a string (" +
                          TypeNameOf(input.arguments[1]) + ")");
    }
    message = *text;
  }
  const std::string old_key = FullKey(input.node, std::nullopt);
  RIDGELINE_TRY(Node * target, SelectNode(input, *key, false));
  if (target == nullptr) {
    return Error(ErrorKind::kConfigKey, "In oc.deprecated resolver at '" + old_key +
                                            "': Key not found: '" + *key + "'");
  }
  ReplaceInPlace(message, "$OLD_KEY", old_key);
  ReplaceInPlace(message, "$NEW_KEY", FullKey(*target, std::nullopt));
  input.workspace.Warn(std::move(message));
  return Resolved(target);
}

Result<Resolved> Environment(const ResolverInput& input) {
  RIDGELINE_TRY(const std::string name, TextArgument(input, 0));
  const auto& environment = input.workspace.world().environment;
  if (const auto found = environment.find(name); found != environment.end()) {
    return Resolved(Value(found->second));
  }
  if (input.arguments.size() < 2) {
    return Error(ErrorKind::kKey, Repr("Environment variable '" + name + "' not found"));
  }
  const Value* fallback = std::get_if<Value>(&input.arguments[1]);
  if (fallback != nullptr && fallback->is_null()) return Resolved(Value());
  return Resolved(Value(StrOf(input.arguments[1])));
}

Result<Resolved> SelectOrDefault(const ResolverInput& input) {
  const std::string* key = AsText(input.arguments[0]);
  if (key == nullptr) {
    return Error(ErrorKind::kAttribute, "'" + TypeNameOf(input.arguments[0]) +
                                            "' object has no attribute 'startswith'");
  }
  RIDGELINE_TRY(Node * node, SelectNode(input, *key, false));
  if (node != nullptr && !node->IsMissing()) return Unwrapped(node);
  return input.arguments.size() > 1 ? input.arguments[1] : Resolved(Value());
}

Result<Node*> SelectDict(const ResolverInput& input, const std::string& resolver) {
  const std::string* key = AsText(input.arguments[0]);
  if (key == nullptr) {
    return TypeMismatch("`" + resolver + "` requires a string as input, but obtained `" +
                        StrOf(input.arguments[0]) +
                        "` of type: " + TypeNameOf(input.arguments[0]));
  }
  RIDGELINE_TRY(Node * node, SelectNode(input, *key, true));
  if (node == nullptr)
    return Error(ErrorKind::kConfigKey, "Key not found: '" + *key + "'");
  if (!node->is_dict() || node->special) {
    return TypeMismatch("`" + resolver + "` cannot be applied to objects of type: " +
                        TypeNameOf(Unwrapped(node)));
  }
  return node;
}

Result<Resolved> ListBelow(const ResolverInput& input, List list) {
  RIDGELINE_TRY(Node * root, CreateRoot(input.workspace, Value(std::move(list)),
                                        input.node.origin.source));
  root->parent = &input.parent;
  return Resolved(root);
}

Result<Resolved> DictKeys(const ResolverInput& input) {
  RIDGELINE_TRY(const Node* dict, SelectDict(input, "oc.dict.keys"));
  List keys;
  for (const auto& [key, child] : dict->children) keys.emplace_back(key);
  return ListBelow(input, std::move(keys));
}

Result<Resolved> DictValues(const ResolverInput& input) {
  RIDGELINE_TRY(const Node* dict, SelectDict(input, "oc.dict.values"));
  // The references are one level deeper than the call, hence one more dot.
  std::string key = *AsText(input.arguments[0]);
  if (key.starts_with('.')) key.insert(0, ".");
  List references;
  for (const auto& [name, child] : dict->children) {
    references.emplace_back("${" + key + "." + Str(Value(name)) + "}");
  }
  RIDGELINE_TRY(const Resolved list, ListBelow(input, std::move(references)));
  std::get<Node*>(list)->hint = &kOptionalListOfAny;
  return list;
}

Result<Resolved> Now(const ResolverInput& input) {
  const std::string* pattern = AsText(input.arguments[0]);
  if (pattern == nullptr) {
    return TypeMismatch("strftime() argument 1 must be str, not " +
                        TypeNameOf(input.arguments[0]));
  }
  return Resolved(Value(os::FormatTime(input.workspace.world().now, *pattern)));
}

Result<Resolved> Hydra(const ResolverInput& input) {
  if (input.workspace.hydra == nullptr) {
    return Error(ErrorKind::kValue, "HydraConfig was not set");
  }
  const std::string* path = AsText(input.arguments[0]);
  if (path == nullptr) {
    return Error(ErrorKind::kAttribute, "'" + TypeNameOf(input.arguments[0]) +
                                            "' object has no attribute 'startswith'");
  }
  RIDGELINE_TRY(Node * node, Select(input.workspace, *input.workspace.hydra, *path));
  if (node == nullptr) return Resolved(Value());
  return Unwrapped(node);
}

// The interpreter version our users' trees were written for.
Result<Resolved> PythonVersion(const ResolverInput& input) {
  const std::string level = input.arguments.empty() ? "minor" : StrOf(input.arguments[0]);
  if (level == "major") return Resolved(Value("3"));
  if (level == "minor") return Resolved(Value("3.11"));
  if (level == "micro") return Resolved(Value("3.11.2"));
  return Resolved(Value());
}

}  // namespace

void AddBuiltinResolvers(Workspace& workspace) {
  const struct {
    const char* name;
    size_t least;
    size_t most;
    Resolver resolver;
  } builtin[] = {
      {"oc.create", 1, 1, Create},
      {"oc.decode", 1, 1, Decode},
      {"oc.deprecated", 1, 2, Deprecated},
      {"oc.env", 1, 2, Environment},
      {"oc.select", 1, 2, SelectOrDefault},
      {"oc.dict.keys", 1, 1, DictKeys},
      {"oc.dict.values", 1, 1, DictValues},
      {"now", 1, 1, Now},
      {"hydra", 1, 1, Hydra},
      {"python_version", 0, 1, PythonVersion},
  };
  for (const auto& entry : builtin) {
    workspace.AddResolver(entry.name,
                          WithCount(entry.name, entry.least, entry.most, entry.resolver));
  }
}

}  // namespace ridgeline::config
