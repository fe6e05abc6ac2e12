#include "config/compose/search_path.h"

#include <utility>

#include "config/tree/build.h"
#include "config/tree/evaluate.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

constexpr std::string_view kKey = "hydra.searchpath";

Result<Node*> PrimaryConfig(ConfigRepository& repository,
                            const std::optional<std::string>& config_name) {
  if (config_name) {
    RIDGELINE_TRY(const LoadedConfig* loaded, repository.Load(*config_name));
    if (loaded != nullptr) {
      if (loaded->config->is_dict()) return loaded->config;
      return Error(
          ErrorKind::kConfigComposition,
          "primary config '" + *config_name + "' must be a DictConfig, got ListConfig");
    }
  }
  return CreateRoot(repository.workspace(), Value(Dict()));
}

Error NotAList(const Value& searchpath) {
  return Error(ErrorKind::kConfigComposition,
               "hydra.searchpath must be a list of strings. Got: " + Str(searchpath));
}

struct Extension {
  std::string provider;
  Value paths;  // Null: none.
};

Result<Extension> FindExtension(ConfigRepository& repository,
                                const ComposeRequest& request,
                                const std::vector<Override>& overrides) {
  RIDGELINE_TRY(Node * primary, PrimaryConfig(repository, request.config_name));
  Workspace& workspace = repository.workspace();
  RIDGELINE_TRY(Node * configured, Select(workspace, *primary, kKey));
  for (const Override& override : overrides) {
    if (override.KeyElement() != kKey) continue;
    RIDGELINE_TRY(Value value, override.PlainValue());
    if (value.is_null()) break;
    return Extension{"hydra.searchpath in command-line", std::move(value)};
  }
  if (configured == nullptr) return Extension{};
  if (!configured->is_list())
    return Extension{"hydra.searchpath in main", ToValue(*configured)};
  RIDGELINE_TRY(Value paths, ToResolvedValue(workspace, *configured));
  return Extension{"hydra.searchpath in main", std::move(paths)};
}

}  // namespace

std::vector<SearchPathEntry> BaseSearchPath(const ComposeRequest& request) {
  std::vector<SearchPathEntry> entries = {{"hydra", "pkg://hydra.conf"},
                                          {"main", "file://" + request.config_path}};
  if (request.config_dir) {
    entries.push_back({"command-line", "file://" + *request.config_dir});
  }
  entries.push_back({"schema", "structured://"});
  return entries;
}

Status CheckDirectories(const ConfigRepository& repository) {
  for (const ConfigSource& source : repository.sources()) {
    if (source.IsAvailable()) continue;
    if (source.provider == "command-line") {
      return Error(ErrorKind::kSearchPath,
                   "Additional config directory '" + source.path + "' not found");
    }
    if (source.provider != "main") continue;
    return Error(
        ErrorKind::kMissingConfig,
        "Primary config directory not found.\nCheck that the config directory '" +
            source.path + "' exists and readable");
  }
  return Ok();
}

Status ExtendSearchPath(ConfigRepository& repository, const ComposeRequest& request,
                        const std::vector<Override>& overrides) {
  RIDGELINE_TRY(const Extension extension, FindExtension(repository, request, overrides));
  if (extension.paths.is_null()) return Ok();
  if (!extension.paths.is_list()) return NotAList(extension.paths);
  std::vector<SearchPathEntry> entries = BaseSearchPath(request);
  const SearchPathEntry schema = entries.back();
  entries.pop_back();
  for (const Value& path : extension.paths.list()) {
    if (!path.is_string()) return NotAList(extension.paths);
    entries.push_back({extension.provider, path.string()});
  }
  entries.push_back(schema);
  RIDGELINE_RETURN_IF_ERROR(repository.SetSearchPath(entries));
  for (const ConfigSource& source : repository.sources()) {
    if (source.IsAvailable()) continue;
    repository.workspace().Warn("provider=" + source.provider + ", path=" + source.path +
                                " is not available.");
  }
  return Ok();
}

}  // namespace ridgeline::config
