#include "config/compose/defaults_list.h"

#include <set>

#include "config/compose/default_overrides.h"
#include "config/compose/defaults_tree.h"

namespace ridgeline::config {
namespace {

void AddConfig(DefaultsTreeNode& root, std::string_view path, bool primary) {
  auto child = std::make_unique<DefaultsTreeNode>();
  child->element.path = path;
  child->element.primary = primary;
  child->parent = &root;
  root.children.push_back(std::move(child));
}

std::unique_ptr<DefaultsTreeNode> MakeRoot(
    const std::optional<std::string>& config_name) {
  auto root = std::make_unique<DefaultsTreeNode>();
  root->element = InputDefault::VirtualRoot();
  AddConfig(*root, "hydra/config", false);
  AddConfig(*root,
            config_name.has_value() ? std::string_view(*config_name) : kEmptyConfig,
            true);
  return root;
}

// A config's own values: the position of _self_ in its list.
ResultDefault SelfResult(const DefaultsTreeNode& config) {
  ResultDefault result;
  result.config_path = config.element.ConfigPath();
  result.is_self = true;
  if (config.parent != nullptr) result.parent = config.parent->element.ConfigPath();
  result.package = config.element.FinalPackage();
  result.primary = config.element.primary;
  return result;
}

ResultDefault LeafResult(const DefaultsTreeNode& leaf) {
  const InputDefault& entry = leaf.element;
  ResultDefault result;
  result.config_path = entry.ConfigPath();
  if (leaf.parent != nullptr) result.parent = leaf.parent->element.ConfigPath();
  result.package = entry.FinalPackage();
  if (entry.is_group()) result.override_key = entry.OverrideKey();
  result.primary = entry.primary;
  return result;
}

void CollectLeaves(const DefaultsTreeNode& node, std::vector<ResultDefault>& results) {
  for (const std::unique_ptr<DefaultsTreeNode>& child : node.children) {
    CollectLeaves(*child, results);
  }
  const InputDefault& entry = node.element;
  if (!node.children.empty() || entry.is_virtual()) return;
  if (entry.deleted || entry.IsMissing() || !entry.Name().has_value()) return;
  ResultDefault result = entry.IsSelf() ? SelfResult(*node.parent) : LeafResult(node);
  if (result.config_path != kEmptyConfig) results.push_back(std::move(result));
}

Status CheckNoDuplicates(const std::vector<ResultDefault>& defaults) {
  std::set<std::string_view> keys;
  for (const ResultDefault& item : defaults) {
    if (item.is_self || !item.override_key.has_value()) continue;
    if (!keys.insert(*item.override_key).second) {
      return Error(
          ErrorKind::kConfigComposition,
          *item.override_key + " appears more than once in the final defaults list");
    }
  }
  return Ok();
}

}  // namespace

Result<DefaultsList> CreateDefaultsList(ConfigRepository& repository,
                                        const std::optional<std::string>& config_name,
                                        const std::vector<Override>& overrides,
                                        MissingOptions missing_options) {
  RIDGELINE_TRY(DefaultOverrides known, DefaultOverrides::Create(repository, overrides));
  DefaultsList list;
  list.tree = MakeRoot(config_name);
  DefaultsTreeBuilder builder(repository, known, missing_options);
  RIDGELINE_RETURN_IF_ERROR(builder.Build(*list.tree));
  CollectLeaves(*list.tree, list.defaults);
  RIDGELINE_RETURN_IF_ERROR(CheckNoDuplicates(list.defaults));
  RIDGELINE_RETURN_IF_ERROR(known.CheckOverridesUsed());
  RIDGELINE_RETURN_IF_ERROR(known.CheckDeletionsUsed());
  list.config_overrides = std::move(known.config_overrides());
  list.choices = known.choices();
  return list;
}

}  // namespace ridgeline::config
