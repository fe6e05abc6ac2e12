// One entry of the search path, and the configs found there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/compose/config_files.h"
#include "config/error.h"

namespace ridgeline::config {

// The provider ("main", "hydra") and the path: "file:///srv/conf", "conf",
// "pkg://hydra.conf" or "structured://".
struct SearchPathEntry {
  std::string provider;
  std::string path;
};

// Which entries of a group to list.
enum class Listing { kConfigs, kGroups };

// "db/mysql" -> "db/mysql.yaml"; names that already have the suffix are unchanged.
std::string WithYamlSuffix(std::string_view config_path);

struct ConfigSource {
  enum class Scheme { kFile, kPackage, kStructured };

  std::string provider;
  Scheme scheme = Scheme::kFile;
  std::string path;                    // Without the scheme, as the user wrote it.
  const ConfigFiles* files = nullptr;  // Outlives the source.
  std::string root;                    // Absolute, in `files`.

  // Relative paths are relative to `directory`.
  static Result<ConfigSource> Create(const SearchPathEntry& entry,
                                     const ConfigFiles& files,
                                     std::string_view directory);

  bool is_structured() const { return scheme == Scheme::kStructured; }
  // The source of schemas.
  bool is_schema() const { return is_structured() && provider == "schema"; }
  std::string_view SchemeName() const;
  std::string FullPath() const;  // "file:///srv/app/conf"
  std::string ToString() const;  // "provider=main, path=file:///srv/app/conf"

  bool IsAvailable() const;
  bool IsGroup(std::string_view config_path) const;
  bool IsConfig(std::string_view config_path) const;
  // The file of a config, in `files`.
  std::string FileOf(std::string_view config_path) const;
  // The names in a group that exists here; may contain duplicates.
  std::vector<std::string> List(std::string_view group, Listing listing) const;
};

}  // namespace ridgeline::config
