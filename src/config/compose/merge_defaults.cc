#include "config/compose/merge_defaults.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "config/tree/assign.h"
#include "config/tree/build.h"
#include "config/tree/merge.h"
#include "config/tree/select.h"

namespace ridgeline::config {
namespace {

// A tree with `config` at `package`.
Result<Node*> Embed(Workspace& workspace, Node& config, const ResultDefault& entry,
                    bool is_only_use) {
  const std::string& package = entry.package;
  if (package.empty()) return &config;
  Node& root = workspace.NewNode(Node::Shape::kDict);
  Node* container = &root;
  const std::vector<std::string> parts = SplitKey(package);
  if (parts.size() > kMaxLevels) {
    return Error(ErrorKind::kLimit, "a package has more than " +
                                        std::to_string(kMaxLevels) +
                                        " parts: " + parts[0] + "." + parts[1] + "...");
  }
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    Node& next = workspace.NewNode(Node::Shape::kDict);
    next.parent = container;
    next.key = parts[i];
    next.origin = config.origin;
    container->children.Set(parts[i], &next);
    container = &next;
  }
  // A file listed more than once is copied to each of its packages.
  workspace.share_nodes = is_only_use;
  Status set = SetItem(workspace, *container, parts.back(), &config, Access::kAttribute);
  workspace.share_nodes = false;
  if (!set.ok()) return std::move(set).error();
  return &root;
}

// A file named like one of Hydra's records is validated against that record.
Result<Node*> MergeWithSchema(Workspace& workspace, Node& schema, Node& config,
                              const std::string& config_path) {
  constexpr std::string_view kUrl =
      "https://hydra.cc/docs/1.2/upgrades/1.0_to_1.1/automatic_schema_matching";
  const std::string matched =
      "'" + config_path +
      "' is validated against ConfigStore schema with the same name.\n"
      "This behavior is deprecated in Hydra 1.1 and will be removed in Hydra 1.2.\n";
  if (config_path == "hydra/config") {
    return CompositionError(
        matched +
        "In addition, the automatically matched schema contains a defaults "
        "list.\nThis combination is no longer supported.\nSee " +
        std::string(kUrl) + " for migration instructions.");
  }
  workspace.Warn("\n" + matched + "See " + std::string(kUrl) +
                 " for migration instructions.");
  Status merged = MergeNode(workspace, schema, config);
  if (merged.ok()) return &schema;
  Error error = CompositionError("Error merging '" + config_path + "' with schema");
  error.cause = std::make_shared<const Error>(std::move(merged).error());
  return error;
}

Result<Node*> LoadOne(ConfigRepository& repository, const ResultDefault& entry,
                      bool is_only_use) {
  RIDGELINE_TRY(const LoadedConfig* loaded, repository.Load(entry.config_path));
  Workspace& workspace = repository.workspace();
  Node* config = loaded->config;
  if (!loaded->is_schema_source) {
    if (Node* schema = repository.MakeSchema(entry.config_path)) {
      RIDGELINE_TRY(config,
                    MergeWithSchema(workspace, *schema, *config, entry.config_path));
    }
  }
  RIDGELINE_TRY(Node * embedded, Embed(workspace, *config, entry, is_only_use));
  if (entry.primary || entry.config_path == "hydra/config" || !embedded->is_dict()) {
    return embedded;
  }
  RIDGELINE_TRY(const Node* searchpath, Select(workspace, *embedded, "hydra.searchpath"));
  if (searchpath == nullptr || searchpath->IsNone()) return embedded;
  return CompositionError(
      "In '" + entry.config_path +
      "': Overriding hydra.searchpath is only supported from the primary "
      "config");
}

}  // namespace

Result<Node*> MergeDefaults(ConfigRepository& repository,
                            const std::vector<ResultDefault>& defaults) {
  Workspace& workspace = repository.workspace();
  RIDGELINE_TRY(Node * root, CreateRoot(workspace, Value(Dict())));
  std::map<std::string_view, size_t> uses;
  for (const ResultDefault& entry : defaults) ++uses[entry.config_path];
  for (const ResultDefault& entry : defaults) {
    const bool is_only_use = uses[entry.config_path] == 1;
    RIDGELINE_TRY(Node * config, LoadOne(repository, entry, is_only_use));
    workspace.share_nodes = true;
    Status merged = MergeNode(workspace, *root, *config);
    workspace.share_nodes = false;
    if (merged.ok()) continue;
    Error error = std::move(merged).error();
    if (!IsOmegaConf(error.kind)) return error;
    Error outer = CompositionError("In '" + entry.config_path +
                                   "': " + std::string(ClassName(error.kind)) +
                                   " raised while composing config:\n" + error.message);
    outer.origin = error.origin;
    return outer;
  }
  // The record hydra/config keeps its defaults list until everything is merged.
  if (Node** hydra = root->children.Find("hydra")) {
    (*hydra)->children.Erase(std::string("defaults"));
  }
  return root;
}

}  // namespace ridgeline::config
