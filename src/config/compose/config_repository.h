// Finds configs along the search path and loads each of them once.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/compose/config_files.h"
#include "config/compose/config_source.h"
#include "config/compose/default_element.h"
#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// A config as written in its file. Shared by all users: copy `config` before changing it.
struct LoadedConfig {
  std::string provider;
  std::string path;                    // Path of the source: "file:///srv/app/conf".
  Node* config = nullptr;              // A dict or list, with its defaults list removed.
  std::optional<std::string> package;  // From the header; as written.
  std::vector<InputDefault> defaults;
  bool is_schema_source = false;
};

class ConfigRepository {
 public:
  // Nodes are created in `workspace`. Relative search paths are relative to `directory`.
  // Both references must outlive the repository.
  ConfigRepository(Workspace& workspace, const ConfigFiles& files, std::string directory);

  // Configs are searched in this order; the first match wins. Configs that are already
  // loaded stay loaded even if the search path changes: Hydra reads the primary config
  // first and only then knows hydra.searchpath.
  Status SetSearchPath(const std::vector<SearchPathEntry>& entries);
  const std::vector<ConfigSource>& sources() const { return sources_; }

  bool ConfigExists(std::string_view config_path);
  bool GroupExists(std::string_view group);
  // Over all sources; sorted and unique.
  std::vector<std::string> GroupOptions(std::string_view group, Listing listing) const;

  // Null when no source has it. Valid as long as the repository.
  Result<const LoadedConfig*> Load(const std::string& config_path);

  // The built-in record of the same name that a config is validated against (not cached);
  // null if there is none.
  Node* MakeSchema(std::string_view config_path) const;

  Workspace& workspace() const { return *workspace_; }

 private:
  // Index into sources_; empty if no source has it.
  using Lookup = std::map<std::string, std::optional<size_t>, std::less<>>;

  std::optional<size_t> FindConfig(std::string_view config_path);
  Result<LoadedConfig> LoadFrom(const ConfigSource& source,
                                const std::string& config_path);

  Workspace* workspace_;
  const ConfigFiles* files_;
  std::string directory_;
  std::vector<ConfigSource> sources_;
  Lookup configs_;  // Every disk lookup is cached, failed ones included.
  Lookup groups_;
  std::map<std::string, std::optional<LoadedConfig>, std::less<>> loaded_;
};

}  // namespace ridgeline::config
