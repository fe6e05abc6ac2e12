#include "config/compose/defaults_interpolation.h"

#include <string>
#include <string_view>
#include <utility>

#include "config/compose/defaults_extract.h"
#include "config/tree/build.h"
#include "config/tree/select.h"

namespace ridgeline::config {
namespace {

constexpr std::string_view kPlaceholder = "_dummy_";

// "${defaults.0.db}", the form of Hydra 1.0.
bool IsLegacy(std::string_view text) {
  constexpr std::string_view kStart = "${defaults.";
  if (!text.starts_with(kStart) || text.size() < kStart.size() + 2) return false;
  const char digit = text[kStart.size()];
  return digit >= '0' && digit <= '9' && text[kStart.size() + 1] == '.';
}

Error CannotResolve(const std::string& text, const Node& map) {
  std::string message = "Error resolving interpolation '" + text + "'";
  std::string keys;
  for (const auto& [key, node] : map.children) {
    const std::string* name = std::get_if<std::string>(&key);
    if (name == nullptr || *name == kDefaultsKey) continue;
    keys += (keys.empty() ? "" : ", ") + *name;
  }
  if (!keys.empty()) message += ", possible interpolation keys: " + keys;
  return Error(ErrorKind::kConfigComposition, std::move(message));
}

Result<std::string> ResolveText(Workspace& workspace, Node& map,
                                const std::string& text) {
  Dict dict;
  dict.Set(std::string(kPlaceholder), Value(text));
  RIDGELINE_TRY(Node* const holder, CreateRoot(workspace, Value(std::move(dict))));
  holder->parent = &map;
  const Result<Node*> resolved =
      ReadItem(workspace, *holder, Scalar(std::string(kPlaceholder)));
  if (!resolved.ok()) {
    if (!IsInterpolationResolution(resolved.error().kind)) return resolved.error();
    return CannotResolve(text, map);
  }
  const Node& node = *resolved.value();
  if (!node.is_scalar() || !node.value.is_string()) {
    return Error(ErrorKind::kAssertion,
                 "Interpolation '" + text + "' in a defaults list must yield a string");
  }
  return node.value.string();
}

}  // namespace

Result<Node*> MakeInterpolationMap(Workspace& workspace, const Choices& choices,
                                   const std::vector<InputDefault>& defaults) {
  Dict map;
  for (const auto& [key, option] : choices) {
    map.Set(key, option.has_value() ? Value(*option) : Value());
  }
  List list;
  for (const InputDefault& entry : defaults) {
    if (!entry.is_group()) {
      list.emplace_back(entry.ConfigPath());
      continue;
    }
    Dict choice;
    choice.Set(entry.OverrideKey(), entry.option);
    list.emplace_back(std::move(choice));
  }
  map.Set(std::string(kDefaultsKey), Value(std::move(list)));
  return CreateRoot(workspace, Value(std::move(map)));
}

Status ResolveDefault(Workspace& workspace, Node& map, InputDefault& entry) {
  if (!entry.is_group()) {
    RIDGELINE_TRY(entry.path, ResolveText(workspace, map, entry.ConfigPath()));
    return Ok();
  }
  const std::string& text = entry.option.string();
  if (IsLegacy(text)) {
    return Error(ErrorKind::kConfigComposition,
                 "\nDefaults list element '" + entry.OverrideKey() + "=" + text +
                     "' is using a deprecated interpolation form.\n"
                     "See http://hydra.cc/docs/1.1/upgrades/1.0_to_1.1/"
                     "defaults_list_interpolation for migration information.");
  }
  RIDGELINE_TRY(std::string option, ResolveText(workspace, map, text));
  entry.option = Value(std::move(option));
  return Ok();
}

}  // namespace ridgeline::config
