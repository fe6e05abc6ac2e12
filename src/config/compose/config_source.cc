#include "config/compose/config_source.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "config/compose/builtin_configs.h"

namespace ridgeline::config {
namespace {

constexpr std::string_view kSchemeEnd = "://";

std::string_view StripTrailing(std::string_view text, char character) {
  while (text.ends_with(character)) text.remove_suffix(1);
  return text;
}

// "hydra/conf" is the same package as "hydra.conf".
std::string PackageName(std::string path) {
  std::replace(path.begin(), path.end(), '/', '.');
  return std::string(StripTrailing(path, '.'));
}

}  // namespace

std::string WithYamlSuffix(std::string_view config_path) {
  std::string name(config_path);
  if (!name.ends_with(".yaml")) name += ".yaml";
  return name;
}

Result<ConfigSource> ConfigSource::Create(const SearchPathEntry& entry,
                                          const ConfigFiles& files,
                                          std::string_view directory) {
  ConfigSource source;
  source.provider = entry.provider;
  const size_t end = entry.path.find(kSchemeEnd);
  const bool plain = end == std::string::npos;
  const std::string scheme = plain ? "file" : entry.path.substr(0, end);
  source.path = plain ? entry.path : entry.path.substr(end + kSchemeEnd.size());

  if (scheme == "file") {
    source.files = &files;
    source.root = JoinPath(directory, source.path);
  } else if (scheme == "pkg") {
    source.scheme = Scheme::kPackage;
    source.path = PackageName(std::move(source.path));
    source.files = &BuiltinPackages();
    source.root = PackageRoot(source.path);
  } else if (scheme == "structured") {
    source.scheme = Scheme::kStructured;
    source.files = &BuiltinRecordNames();
    source.root = "/";
    if (!source.path.empty() && source.path != "hydra.conf") {
      return Error(ErrorKind::kValue, "No module named '" + source.path + "'");
    }
  } else {
    return Error(ErrorKind::kValue, "No config source registered for schema " + scheme +
                                        ", supported types : [file, pkg, structured]");
  }
  return source;
}

std::string_view ConfigSource::SchemeName() const {
  switch (scheme) {
    case Scheme::kFile:
      return "file";
    case Scheme::kPackage:
      return "pkg";
    case Scheme::kStructured:
      return "structured";
  }
  return "";
}

std::string ConfigSource::FullPath() const {
  return std::string(SchemeName()).append(kSchemeEnd).append(path);
}

std::string ConfigSource::ToString() const {
  return "provider=" + provider + ", path=" + FullPath();
}

bool ConfigSource::IsAvailable() const { return is_structured() || IsGroup(""); }

bool ConfigSource::IsGroup(std::string_view config_path) const {
  return files->IsDirectory(JoinPath(root, config_path));
}

bool ConfigSource::IsConfig(std::string_view config_path) const {
  return files->IsFile(FileOf(config_path));
}

std::string ConfigSource::FileOf(std::string_view config_path) const {
  if (is_structured()) config_path = StripTrailing(config_path, '/');
  return JoinPath(root, WithYamlSuffix(config_path));
}

std::vector<std::string> ConfigSource::List(std::string_view group,
                                            Listing listing) const {
  std::vector<std::string> names;
  for (std::string& name : files->List(JoinPath(root, group))) {
    if (name == "__pycache__" || name == "__init__.py") continue;
    const std::string path_of_name = JoinPath(group, name);
    if (listing == Listing::kGroups) {
      if (IsGroup(path_of_name)) names.push_back(std::move(name));
    } else if (IsConfig(path_of_name)) {
      names.push_back(name.substr(0, name.rfind('.')));
    }
  }
  return names;
}

}  // namespace ridgeline::config
