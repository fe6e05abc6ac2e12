#include "config/compose/config_repository.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "config/compose/builtin_configs.h"
#include "config/compose/defaults_extract.h"
#include "config/compose/package_header.h"
#include "config/tree/build.h"
#include "config/value/python_text.h"
#include "config/value/yaml_load.h"

namespace ridgeline::config {
namespace {

// A document that is a single string is parsed as YAML once more, as OmegaConf.create
// does; if the result is still a string, it becomes a key.
Result<Value> AsContainer(Value document, const std::string& name) {
  if (document.is_string()) {
    const std::string text = document.string();
    RIDGELINE_TRY(document, LoadYaml(text, name));
    if (document.is_string()) {
      Dict dict;
      dict.Set(document.scalar(), Value());
      return Value(std::move(dict));
    }
    if (document.is_scalar() && !document.is_null()) {
      return Error(ErrorKind::kAssertion, name + ": a config cannot be " + Repr(text));
    }
  }
  if (document.is_null()) return Value(Dict());
  if (document.is_scalar()) {
    return Error(ErrorKind::kOs, "Invalid loaded object type: " + TypeName(document));
  }
  return document;
}

Result<Node*> LoadText(Workspace& workspace, std::string_view text, std::string name) {
  RIDGELINE_TRY(Value document, LoadYaml(text, name));
  RIDGELINE_TRY(const Value container, AsContainer(std::move(document), name));
  return CreateRoot(workspace, container,
                    std::make_shared<const std::string>(std::move(name)));
}

Node* MakeRecord(Workspace& workspace, const std::string& file) {
  const StructType* type = BuiltinRecord(NormalizePath(file));
  if (type == nullptr) return &workspace.NewNode(Node::Shape::kDict);
  return &MakeStruct(workspace, *type);
}

}  // namespace

ConfigRepository::ConfigRepository(Workspace& workspace, const ConfigFiles& files,
                                   std::string directory)
    : workspace_(&workspace), files_(&files), directory_(std::move(directory)) {}

Status ConfigRepository::SetSearchPath(const std::vector<SearchPathEntry>& entries) {
  std::vector<ConfigSource> sources;
  for (const SearchPathEntry& entry : entries) {
    RIDGELINE_TRY(ConfigSource source, ConfigSource::Create(entry, *files_, directory_));
    sources.push_back(std::move(source));
  }
  sources_ = std::move(sources);
  configs_.clear();
  groups_.clear();
  return Ok();
}

bool ConfigRepository::ConfigExists(std::string_view config_path) {
  return FindConfig(config_path).has_value();
}

bool ConfigRepository::GroupExists(std::string_view group) {
  const auto known = groups_.find(group);
  if (known != groups_.end()) return known->second.has_value();
  std::optional<size_t> found;
  for (size_t i = 0; i < sources_.size() && !found.has_value(); ++i) {
    if (sources_[i].IsGroup(group)) found = i;
  }
  groups_.emplace(group, found);
  return found.has_value();
}

std::vector<std::string> ConfigRepository::GroupOptions(std::string_view group,
                                                        Listing listing) const {
  std::set<std::string> options;
  for (const ConfigSource& source : sources_) {
    if (!source.IsGroup(group)) continue;
    for (std::string& name : source.List(group, listing)) options.insert(std::move(name));
  }
  return {options.begin(), options.end()};
}

Result<const LoadedConfig*> ConfigRepository::Load(const std::string& config_path) {
  auto known = loaded_.find(config_path);
  if (known == loaded_.end()) {
    std::optional<LoadedConfig> loaded;
    if (const std::optional<size_t> source = FindConfig(config_path)) {
      RIDGELINE_TRY(loaded, LoadFrom(sources_[*source], config_path));
    }
    known = loaded_.emplace(config_path, std::move(loaded)).first;
  }
  return known->second.has_value() ? &*known->second : nullptr;
}

Node* ConfigRepository::MakeSchema(std::string_view config_path) const {
  if (sources_.empty() || !sources_.back().is_schema()) return nullptr;
  const ConfigSource& source = sources_.back();
  if (!source.IsConfig(config_path)) return nullptr;
  return MakeRecord(*workspace_, source.FileOf(config_path));
}

std::optional<size_t> ConfigRepository::FindConfig(std::string_view config_path) {
  const auto known = configs_.find(config_path);
  if (known != configs_.end()) return known->second;
  std::optional<size_t> found;
  for (size_t i = 0; i < sources_.size() && !found.has_value(); ++i) {
    if (sources_[i].IsConfig(config_path)) found = i;
  }
  configs_.emplace(config_path, found);
  return found;
}

Result<LoadedConfig> ConfigRepository::LoadFrom(const ConfigSource& source,
                                                const std::string& config_path) {
  LoadedConfig loaded;
  loaded.provider = source.provider;
  loaded.path = source.FullPath();
  loaded.is_schema_source = source.is_schema();
  std::string file = source.FileOf(config_path);
  if (source.is_structured()) {
    loaded.provider = "hydra";
    loaded.config = MakeRecord(*workspace_, file);
    if (NormalizePath(file) == "/hydra/config.yaml") loaded.defaults = HydraDefaults();
    return loaded;
  }
  RIDGELINE_TRY(const std::string text, source.files->Read(file));
  Result<std::optional<std::string>> package = ParsePackageHeader(text);
  if (!package.ok()) {
    Error error = std::move(package).error();
    error.origin.source = std::make_shared<const std::string>(std::move(file));
    return error;
  }
  loaded.package = std::move(package).value();
  RIDGELINE_TRY(loaded.config, LoadText(*workspace_, text, std::move(file)));
  RIDGELINE_TRY(loaded.defaults,
                ExtractDefaults(*workspace_, config_path, *loaded.config));
  return loaded;
}

}  // namespace ridgeline::config
