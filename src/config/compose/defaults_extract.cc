#include "config/compose/defaults_extract.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "config/tree/evaluate.h"
#include "config/tree/locate.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

// "db@store" or "db@store:elsewhere"; the part after the colon is an obsolete syntax for
// renaming packages and is ignored.
struct Target {
  std::string path;
  std::optional<std::string> package;
};

Target SplitPackage(std::string_view text) {
  const size_t at = text.find('@');
  if (at == std::string_view::npos) return {std::string(text), std::nullopt};
  const std::string_view package = text.substr(at + 1);
  return {std::string(text.substr(0, at)),
          std::string(package.substr(0, package.find(':')))};
}

// The words before a group name. Only those before the first unknown word count; unknown
// words are dropped, as in Hydra.
struct Keywords {
  bool optional = false;
  bool is_override = false;
};

Keywords TakeKeywords(std::string& group) {
  Keywords keywords;
  std::string_view rest = group;
  for (size_t space = rest.find(' '); space != std::string_view::npos;
       space = rest.find(' ')) {
    const std::string_view word = rest.substr(0, space);
    if (word == "optional") {
      keywords.optional = true;
    } else if (word == "override") {
      keywords.is_override = true;
    } else {
      break;
    }
    rest.remove_prefix(space + 1);
  }
  group = group.substr(group.rfind(' ') + 1);
  return keywords;
}

std::string RawTypeName(const Node& node) {
  if (node.is_scalar() || node.special) return TypeName(node.value);
  return node.is_dict() ? "dict" : "list";
}

// The value after the colon of an item: null, a string or a list of strings.
Result<Value> OptionOf(const Node& node) {
  if (node.is_list() && !node.special) {
    List options;
    for (const Node* item : node.items) {
      if (!item->is_scalar() || !item->value.is_string()) {
        return Error(ErrorKind::kValue,
                     "Unsupported item value in defaults : " + RawTypeName(*item) +
                         ", nested list items must be strings");
      }
      options.push_back(item->value);
    }
    return Value(std::move(options));
  }
  if (node.is_scalar() && (node.value.is_null() || node.value.is_string())) {
    return node.value;
  }
  return Error(ErrorKind::kValue, "Unsupported item value in defaults : " +
                                      RawTypeName(node) + ". Supported: string or list");
}

// - override db@store: mysql
Result<InputDefault> GroupItem(const std::string& config_path, const Node& item) {
  if (item.children.size() > 1) {
    return Error(
        ErrorKind::kValue,
        "In " + config_path + ": Too many keys in default item " + Repr(ToValue(item)));
  }
  if (item.children.empty()) {
    return Error(ErrorKind::kValue, "In " + config_path + ": Missing group name in {}");
  }
  const auto& [key, child] = *item.children.begin();
  const std::string* name = std::get_if<std::string>(&key);
  if (name == nullptr) {
    return Error(ErrorKind::kAssertion,
                 "In " + config_path + ": A config group name must be a string, got " +
                     Repr(Value(key)));
  }
  Target target = SplitPackage(*name);
  const Keywords keywords = TakeKeywords(target.path);
  RIDGELINE_TRY(Value option, OptionOf(*child));
  RIDGELINE_TRY(InputDefault result,
                InputDefault::Group(std::move(target.path), std::move(option),
                                    std::move(target.package)));
  result.optional = keywords.optional;
  result.is_override = keywords.is_override;
  return result;
}

Result<InputDefault> Item(const std::string& config_path, const Node& item) {
  if (item.is_dict() && !item.IsNone()) return GroupItem(config_path, item);
  if (item.is_scalar() && item.value.is_string()) {
    Target target = SplitPackage(item.value.string());
    return InputDefault::Config(std::move(target.path), std::move(target.package));
  }
  const bool is_list = item.is_list() && !item.IsNone();
  return Error(ErrorKind::kValue, "Unsupported type in defaults : " +
                                      (is_list ? "ListConfig" : RawTypeName(item)));
}

// Removes and returns the node. Null if there is none or it is still "???".
Result<Node*> TakeDefaults(Workspace& workspace, Node& config) {
  Node** found = config.is_dict() ? config.children.Find(kDefaultsKey) : nullptr;
  if (found == nullptr) return nullptr;
  Node* node = *found;
  if (node->IsMissing()) {
    node = nullptr;
  } else {
    // "defaults: ${lists.small}" is allowed.
    Result<Node*> target = Dereference(workspace, *node);
    if (!target.ok()) {
      return Locate(std::move(target).error(), &config,
                    Scalar(std::string(kDefaultsKey)));
    }
    node = target.value();
  }
  config.children.Erase(Scalar(std::string(kDefaultsKey)));
  return node;
}

}  // namespace

Result<std::vector<InputDefault>> ExtractDefaults(Workspace& workspace,
                                                  const std::string& config_path,
                                                  Node& config) {
  std::vector<InputDefault> defaults;
  RIDGELINE_TRY(const Node* list, TakeDefaults(workspace, config));
  if (list == nullptr) return defaults;
  if (!list->is_list() || list->special) {
    const bool is_mapping = list->is_dict() && !list->special;
    Error error(ErrorKind::kValue, "Invalid defaults list in '" + config_path +
                                       "', defaults must be a list (got " +
                                       (is_mapping ? "mapping" : RawTypeName(*list)) +
                                       ")");
    error.origin = list->origin;
    return error;
  }
  for (const Node* item : list->items) {
    Result<InputDefault> made = Item(config_path, *item);
    if (!made.ok()) {
      Error error = std::move(made).error();
      error.origin = item->origin;
      return error;
    }
    made.value().origin = item->origin;
    defaults.push_back(std::move(made).value());
  }
  return defaults;
}

}  // namespace ridgeline::config
