// Entries of defaults lists: as written ("override /db@store: mysql") and resolved (the
// file db/mysql, placed at "store").
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/error.h"
#include "config/origin.h"
#include "config/value/value.h"

namespace ridgeline::config {

inline constexpr std::string_view kSelf = "_self_";
// The primary config if the user does not name one.
inline constexpr std::string_view kEmptyConfig = "_dummy_empty_config_";

// One entry as written, plus the facts added while the defaults tree is built. Paths and
// packages are available after SetParent().
struct InputDefault {
  enum class Kind {
    kVirtualRoot,  // Parent of the primary config and of Hydra's own.
    kConfig,       // "- db/mysql", "- _self_"
    kGroup,        // "- db: mysql", "- db: [a, b]", "- db: null"
  };

  Kind kind = Kind::kConfig;
  std::string path;  // Path of the config or group; a leading '/' is absolute.
  Value option;      // Groups: null, a string or a list.
  std::optional<std::string> package;  // After '@'.

  bool optional = false;
  bool is_override = false;
  bool is_external_append = false;  // "+db=mysql" on the command line.
  bool primary = false;
  bool deleted = false;
  std::optional<std::string> package_header;  // Absolute: "_global_.a.b".
  std::optional<std::string> parent_directory;
  std::optional<std::string> parent_package;
  Origin origin;

  static InputDefault VirtualRoot();
  // Fails for "_self_@somewhere".
  static Result<InputDefault> Config(std::string path,
                                     std::optional<std::string> package);
  // Fails without a group name.
  static Result<InputDefault> Group(std::string group, Value option,
                                    std::optional<std::string> package);

  bool is_group() const { return kind == Kind::kGroup; }
  bool is_config() const { return kind == Kind::kConfig; }
  bool is_virtual() const { return kind == Kind::kVirtualRoot; }
  bool has_options() const { return is_group() && option.is_list(); }
  bool IsSelf() const;
  bool IsMissing() const;
  // Whether the option (or path) has to be resolved first. Fails if it contains an
  // interpolation that does not parse.
  Result<bool> IsInterpolation() const;

  // Sets the location of the config that contains this entry. `package` may be unknown
  // for _self_ only. Replaces "_group_" in the entry's own package.
  void SetParent(std::string_view directory, const std::optional<std::string>& package);
  // Set from the "# @package" line; always absolute. Fails if already set.
  Status SetPackageHeader(const std::optional<std::string>& header);

  // The option of a group, or the last component of a config path; empty for null. Not
  // for lists of options.
  std::optional<std::string> Name() const;
  // The name as Python prints it in messages and paths: "None" for null.
  std::string NameText() const { return Name().value_or("None"); }
  std::string GroupPath() const;   // "db" of "db/mysql".
  std::string ConfigPath() const;  // "db/mysql"; "<root>" for the virtual root.

  // The package as written, else the one in the file's header.
  const std::optional<std::string>& PackageOrHeader() const;
  // Where the config is placed: "a.b", "" for the root.
  std::string FinalPackage() const;
  // The same, ignoring the header.
  std::string FinalPackageWithoutHeader() const;
  // The key a user writes to choose another option: "db", "db@store".
  std::string OverrideKey() const;

 private:
  std::string DefaultPackage() const;
  std::string RelativeGroupPath() const;
  std::string Place(const std::optional<std::string>& own) const;
};

// One config of the final list, in merge order.
struct ResultDefault {
  std::string config_path;
  std::optional<std::string> parent;
  std::string package;
  bool is_self = false;
  bool primary = false;
  std::optional<std::string> override_key;  // Group choices only.
};

}  // namespace ridgeline::config
