#include "config/compose/defaults_tree.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/compose/defaults_errors.h"
#include "config/compose/defaults_interpolation.h"
#include "config/tree/interpolation_parser.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

// Real trees are about five levels deep and have a few dozen entries. With configs that
// include themselves, Hydra hits Python's recursion limit or runs practically forever.
constexpr int kMaxDefaultsDepth = 100;
constexpr int kMaxNodes = 20'000;

bool HasContent(const Node& config) {
  if (!config.is_dict() || config.special) return false;
  return std::any_of(
      config.children.begin(), config.children.end(), [](const auto& child) {
        const std::string* name = std::get_if<std::string>(&child.first);
        return !child.second->IsMissing() && (name == nullptr || *name != "defaults");
      });
}

// Appends _self_ unless the list already has it or consists of overrides only. Returns
// whether it was written explicitly.
Result<bool> EnsureSelf(Workspace& workspace, const InputDefault& parent,
                        const Node& config, std::vector<InputDefault>& defaults) {
  bool has_self = false;
  bool has_other_than_override = false;
  for (const InputDefault& entry : defaults) {
    if (!entry.is_override) has_other_than_override = true;
    if (!entry.IsSelf()) continue;
    if (has_self) {
      return CompositionError("Duplicate _self_ defined in " + parent.ConfigPath());
    }
    has_self = true;
  }
  if (!defaults.empty() && (has_self || !has_other_than_override)) return has_self;
  if (parent.primary && has_other_than_override && HasContent(config)) {
    std::string message = "In '" + parent.ConfigPath() +
                          "': Defaults list is missing `_self_`. See "
                          "https://hydra.cc/docs/1.2/upgrades/1.0_to_1.1/"
                          "default_composition_order for more information";
    const auto& environment = workspace.world().environment;
    const auto as_error = environment.find("SELF_WARNING_AS_ERROR");
    if (as_error != environment.end() && as_error->second == "1") {
      return CompositionError(std::move(message));
    }
    workspace.Warn(std::move(message));
  }
  InputDefault self;
  self.path = kSelf;
  defaults.push_back(std::move(self));
  return false;
}

// A list of options in a message that expects a single name. Hydra fails with a bare
// AssertionError here.
Result<std::string> NameForMessage(const InputDefault& entry) {
  if (entry.has_options()) {
    return Error(ErrorKind::kAssertion, "In the defaults list: '" + entry.OverrideKey() +
                                            ": " + Str(entry.option) +
                                            "' cannot stand at this place");
  }
  return entry.NameText();
}

Error OverrideNotLast(const InputDefault& parent, const InputDefault& override,
                      const InputDefault& entry) {
  const Result<std::string> option = NameForMessage(override);
  if (!option.ok()) return option.error();
  const Result<std::string> name = NameForMessage(entry);
  if (!name.ok()) return name.error();
  Error error = CompositionError(
      "In " + parent.ConfigPath() + ": Override '" + override.OverrideKey() + " : " +
      option.value() + "' is defined before '" + entry.OverrideKey() + ": " +
      name.value() + "'.\nOverrides must be at the end of the defaults list");
  error.origin = entry.origin;
  return error;
}

Error OverrideInInterpolated(const InputDefault& parent, const InputDefault& entry) {
  const Result<std::string> name = NameForMessage(entry);
  if (!name.ok()) return name.error();
  Error error = CompositionError(
      parent.ConfigPath() + ": Default List Overrides are not allowed in the subtree\n" +
      "of an in interpolated config group (override " + entry.OverrideKey() + "=" +
      name.value() + ").\n");
  error.origin = entry.origin;
  return error;
}

// An option of "db: [a, b]" to be turned into the config "db/a".
Result<InputDefault> OptionAsConfig(const InputDefault& group, const Value& option,
                                    const std::string& config_path) {
  if (!option.is_string()) {
    return Error(ErrorKind::kType, "Options of config group '" + group.OverrideKey() +
                                       "' must be strings, got " + TypeName(option));
  }
  if (HoldsInterpolation(option.string())) {
    return CompositionError(
        "In '" + config_path +
        "': Defaults List interpolation is not supported in options list items");
  }
  RIDGELINE_TRY(InputDefault config,
                InputDefault::Config(group.path + "/" + option.string(), group.package));
  config.optional = group.optional;
  config.origin = group.origin;
  return config;
}

}  // namespace

DefaultsTreeBuilder::DefaultsTreeBuilder(ConfigRepository& repository,
                                         DefaultOverrides& overrides,
                                         MissingOptions missing_options)
    : repository_(repository), overrides_(overrides), missing_options_(missing_options) {}

Status DefaultsTreeBuilder::Build(DefaultsTreeNode& root) {
  for (auto child = root.children.rbegin(); child != root.children.rend(); ++child) {
    (*child)->element.SetParent("", "");
    const Visit visit = {.is_primary = (*child)->element.primary, .depth = 1};
    RIDGELINE_RETURN_IF_ERROR(Expand(**child, visit));
  }
  return Ok();
}

Status DefaultsTreeBuilder::Expand(DefaultsTreeNode& node, const Visit& visit) {
  RIDGELINE_RETURN_IF_ERROR(CheckSize(node, visit));
  RIDGELINE_TRY(const Step step, Prepare(node, visit));
  if (step == Step::kDone) return Ok();

  InputDefault& entry = node.element;
  RIDGELINE_TRY(const LoadedConfig* const loaded, repository_.Load(entry.ConfigPath()));
  if (loaded == nullptr) {
    if (!entry.optional) return ConfigNotFound(repository_, node);
    entry.deleted = true;
    return Ok();
  }
  RIDGELINE_TRY(OwnList list, ListOf(*loaded, entry, visit));
  RIDGELINE_RETURN_IF_ERROR(UpdateOverrides(list.entries, entry, visit));
  RIDGELINE_RETURN_IF_ERROR(AddChildren(node, list.entries, visit));
  RIDGELINE_RETURN_IF_ERROR(ExpandInterpolated(node, list, visit));
  std::reverse(node.children.begin(), node.children.end());
  return Ok();
}

Result<DefaultsTreeBuilder::Step> DefaultsTreeBuilder::Prepare(DefaultsTreeNode& node,
                                                               const Visit& visit) {
  InputDefault& entry = node.element;
  if (entry.is_group() && entry.GroupPath().empty()) {
    return Error(ErrorKind::kAssertion,
                 "A defaults list item names '/' instead of a config group");
  }
  if (visit.is_primary && !repository_.ConfigExists(entry.ConfigPath())) {
    return ConfigNotFound(repository_, node);
  }
  RIDGELINE_RETURN_IF_ERROR(UpdatePackageHeader(entry));
  if (overrides_.IsDeleted(entry)) {
    overrides_.Delete(entry);
    return Step::kDone;
  }
  RIDGELINE_RETURN_IF_ERROR(overrides_.SetChoice(entry));
  if (!entry.Name().has_value()) return Step::kDone;
  return CheckNotMissing(entry);
}

Result<DefaultsTreeBuilder::Step> DefaultsTreeBuilder::CheckNotMissing(
    const InputDefault& entry) const {
  const std::string path = entry.ConfigPath();
  if (!path.ends_with(kMissing)) return Step::kGoOn;
  if (missing_options_ == MissingOptions::kSkip) return Step::kDone;
  if (entry.is_group()) return OptionRequired(repository_, entry);
  Error error(ErrorKind::kValue, "Missing ConfigDefault is not supported : " + path);
  error.origin = entry.origin;
  return error;
}

Status DefaultsTreeBuilder::UpdatePackageHeader(InputDefault& entry) {
  if (entry.IsMissing()) return Ok();
  RIDGELINE_TRY(const LoadedConfig* const loaded, repository_.Load(entry.ConfigPath()));
  if (loaded == nullptr) return Ok();
  return entry.SetPackageHeader(loaded->package);
}

Result<DefaultsTreeBuilder::OwnList> DefaultsTreeBuilder::ListOf(
    const LoadedConfig& loaded, const InputDefault& entry, const Visit& visit) {
  OwnList list;
  list.entries = loaded.defaults;
  const std::vector<InputDefault>& appended = overrides_.appended();
  const bool appends = visit.is_primary && !appended.empty();
  if (!list.entries.empty() || appends) {
    RIDGELINE_TRY(list.has_self, EnsureSelf(repository_.workspace(), entry,
                                            *loaded.config, list.entries));
  }
  if (appends) list.entries.insert(list.entries.end(), appended.begin(), appended.end());
  return list;
}

// Sets the parent of the entries and records those that override others.
Status DefaultsTreeBuilder::UpdateOverrides(std::vector<InputDefault>& defaults,
                                            const InputDefault& parent,
                                            const Visit& visit) {
  const InputDefault* last_override = nullptr;
  const std::string directory = parent.GroupPath();
  const std::string package = parent.FinalPackage();
  for (InputDefault& entry : defaults) {
    if (entry.IsSelf()) continue;
    entry.SetParent(directory, package);
    if (!entry.is_override) {
      if (last_override == nullptr || entry.is_external_append) continue;
      return OverrideNotLast(parent, *last_override, entry);
    }
    last_override = &entry;
    if (visit.in_interpolated) return OverrideInInterpolated(parent, entry);
    overrides_.Add(parent.ConfigPath(), entry);
  }
  return Ok();
}

Status DefaultsTreeBuilder::AddChild(DefaultsTreeNode& node, InputDefault entry,
                                     const Visit& visit) {
  node.children.push_back(std::make_unique<DefaultsTreeNode>(
      DefaultsTreeNode{.element = std::move(entry), .parent = &node, .children = {}}));
  return Expand(*node.children.back(), visit.Child());
}

Status DefaultsTreeBuilder::AddOptions(DefaultsTreeNode& node, const InputDefault& entry,
                                       const Visit& visit) {
  const List& options = entry.option.list();
  for (auto option = options.rbegin(); option != options.rend(); ++option) {
    RIDGELINE_TRY(InputDefault config,
                  OptionAsConfig(entry, *option, node.element.ConfigPath()));
    config.SetParent(node.element.GroupPath(), node.element.FinalPackage());
    RIDGELINE_RETURN_IF_ERROR(AddChild(node, std::move(config), visit));
  }
  return Ok();
}

// In reverse order; Expand() reverses them at the end.
Status DefaultsTreeBuilder::AddChildren(DefaultsTreeNode& node,
                                        std::vector<InputDefault>& defaults,
                                        const Visit& visit) {
  const auto add_unexpanded = [&node](const InputDefault& entry) {
    node.children.push_back(std::make_unique<DefaultsTreeNode>(
        DefaultsTreeNode{.element = entry, .parent = &node, .children = {}}));
  };
  for (auto entry = defaults.rbegin(); entry != defaults.rend(); ++entry) {
    if (entry->IsSelf()) {
      entry->SetParent(node.element.parent_directory.value_or(""),
                       node.element.PackageOrHeader());
      add_unexpanded(*entry);
      continue;
    }
    if (entry->is_override) continue;
    overrides_.Apply(*entry);
    if (entry->has_options()) {
      RIDGELINE_RETURN_IF_ERROR(AddOptions(node, *entry, visit));
      continue;
    }
    RIDGELINE_TRY(const bool is_interpolation, entry->IsInterpolation());
    if (is_interpolation) {
      add_unexpanded(*entry);  // Once all other options are known.
    } else {
      RIDGELINE_RETURN_IF_ERROR(AddChild(node, *entry, visit));
    }
  }
  return Ok();
}

Status DefaultsTreeBuilder::ExpandInterpolated(DefaultsTreeNode& node,
                                               const OwnList& list, const Visit& visit) {
  std::vector<InputDefault> written;
  for (const InputDefault& entry : list.entries) {
    if (!list.has_self && entry.IsSelf()) continue;
    if (entry.is_group() && !entry.parent_package.has_value()) {
      return Error(ErrorKind::kAssertion,
                   "In '" + node.element.ConfigPath() +
                       "': _self_ is not an option of config group '" + entry.path + "'");
    }
    written.push_back(entry);
  }
  Node* map = nullptr;
  for (const std::unique_ptr<DefaultsTreeNode>& child : node.children) {
    if (!child->children.empty()) continue;
    RIDGELINE_TRY(const bool is_interpolation, child->element.IsInterpolation());
    if (!is_interpolation) continue;
    Workspace& workspace = repository_.workspace();
    if (map == nullptr) {
      RIDGELINE_TRY(map, MakeInterpolationMap(workspace, overrides_.choices(), written));
    }
    RIDGELINE_RETURN_IF_ERROR(ResolveDefault(workspace, *map, child->element));
    child->element.SetParent(node.element.GroupPath(), node.element.FinalPackage());
    Visit below = visit.Child();
    below.in_interpolated = true;
    RIDGELINE_RETURN_IF_ERROR(Expand(*child, below));
  }
  return Ok();
}

Status DefaultsTreeBuilder::CheckSize(const DefaultsTreeNode& node, const Visit& visit) {
  if (visit.depth <= kMaxDefaultsDepth && ++nodes_ <= kMaxNodes) return Ok();
  Error error(ErrorKind::kLimit, visit.depth > kMaxDefaultsDepth
                                     ? "Defaults lists are nested more than " +
                                           std::to_string(kMaxDefaultsDepth) +
                                           " deep at '" + node.element.ConfigPath() +
                                           "': does a config include itself?"
                                     : "Defaults lists have more than " +
                                           std::to_string(kMaxNodes) + " entries in all");
  error.origin = node.element.origin;
  return error;
}

}  // namespace ridgeline::config
