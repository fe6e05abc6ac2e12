#include "app/group_overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "os/files.h"

namespace ridgeline::app {
namespace {

// "+dataset/sampling@dataset.sampling=default".
struct GroupOverride {
  std::string group;
  std::string package;
  std::string option;

  std::string Entry() const { return group + "@" + package; }
  bool HasOwnPackage() const {
    std::string own = group;
    std::replace(own.begin(), own.end(), '/', '.');
    return package == own;
  }
};

std::optional<GroupOverride> ParseGroupOverride(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const size_t at = text.find('@');
  const size_t equal = text.find('=');
  if (at == std::string_view::npos || equal == std::string_view::npos || at > equal) {
    return std::nullopt;
  }
  return GroupOverride{std::string(text.substr(0, at)),
                       std::string(text.substr(at + 1, equal - at - 1)),
                       std::string(text.substr(equal + 1))};
}

// The groups in the defaults list of a tree, as named in overrides, with their options.
config::Choices ChoicesOf(config::ComposeRequest request) {
  request.overrides.clear();
  config::Workspace workspace{config::World{}};
  config::Result<config::DefaultsList> list = config::ComposeDefaults(workspace, request);
  if (!list.ok()) return {};  // Composing reports why.
  return std::move(list).value().choices;
}

std::vector<std::string> ChosenGroups(const config::ComposeRequest& request) {
  std::vector<std::string> groups;
  for (const auto& [group, option] : ChoicesOf(request)) groups.push_back(group);
  return groups;
}

bool Contains(const std::vector<std::string>& groups, const std::string& group) {
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

std::vector<std::string> OwnGroups(const std::string& own_conf,
                                   const config::ComposeRequest& request) {
  return ChosenGroups({.files = request.files,
                       .config_path = own_conf,
                       .config_name = "config",
                       .working_directory = request.working_directory});
}

// "profiling/nsys@runner.nsys", as mounted in runner/stage2.yaml ->
// "profiling/nsys@nsys", as in the earlier program; empty for other groups.
std::string PresetOfNsight(std::string_view group) {
  for (const char* const tool : {"nsys", "ncu"}) {
    if (group.starts_with(fmt::format("profiling/{}@", tool))) {
      return fmt::format("profiling/{0}@{0}", tool);
    }
  }
  return "";
}

bool EnablesNsight(const std::string& text) {
  return text.ends_with("pipeline.nsys.enable=true") ||
         text.ends_with("pipeline.ncu.enable=true");
}

bool HasOption(const std::string& tree, const std::string& group,
               const std::string& option) {
  return !tree.empty() && os::IsRegularFile(tree + "/" + group + "/" + option + ".yaml");
}

// The search path has one directory beside the tree, which --config-dir may take.
bool MayAddOwnTree(const std::string& own_conf, const config::ComposeRequest& request) {
  return !own_conf.empty() && (!request.config_dir || *request.config_dir == own_conf);
}

}  // namespace

void AddPresetsOfStage2(config::ComposeRequest& request,
                        std::vector<std::string>& notes) {
  std::vector<std::string>& overrides = request.overrides;
  if (std::none_of(overrides.begin(), overrides.end(), EnablesNsight)) return;
  config::ComposeRequest stage2 = request;
  stage2.config_name = "runner/stage2";
  const std::vector<std::string> groups = ChosenGroups(request);
  for (const auto& [mounted, option] : ChoicesOf(stage2)) {
    const std::string group = PresetOfNsight(mounted);
    const auto is_given = [&group = group](const std::string& text) {
      return text.find(group + "=") != std::string::npos;
    };
    if (group.empty() || !option || Contains(groups, group) ||
        std::any_of(overrides.begin(), overrides.end(), is_given)) {
      continue;
    }
    overrides.push_back(fmt::format("+{}={}", group, *option));
    notes.push_back(fmt::format("{} is added, from runner/stage2.yaml of this tree",
                                overrides.back()));
  }
}

void AdaptGroupOverrides(const std::string& own_conf, config::ComposeRequest& request,
                         std::vector<std::string>& notes) {
  std::optional<std::vector<std::string>> groups;  // Groups of this tree; read on demand.
  for (std::string& text : request.overrides) {
    const std::optional<GroupOverride> override = ParseGroupOverride(text);
    if (!override) continue;
    if (!groups) groups = ChosenGroups(request);
    if (Contains(*groups, override->Entry())) continue;
    if (override->HasOwnPackage() && Contains(*groups, override->group)) {
      text = override->group + "=" + override->option;
      notes.push_back(
          fmt::format("{} is written {} here", override->Entry(), override->group));
      continue;
    }
    const std::vector<std::string> own = OwnGroups(own_conf, request);
    const bool is_ours = Contains(own, override->Entry()) ||
                         (override->HasOwnPackage() && Contains(own, override->group));
    if (!is_ours || !MayAddOwnTree(own_conf, request)) continue;
    text = "+" + override->Entry() + "=" + override->option;
    if (HasOption(request.config_path, override->group, override->option)) {
      notes.push_back(fmt::format("{} is not in the defaults list of this tree: added",
                                  override->Entry()));
      continue;
    }
    request.config_dir = own_conf;
    notes.push_back(fmt::format("{} is not in this tree: taken from {}",
                                override->Entry(), own_conf));
  }
}

void AddOwnGroups(const std::string& own_conf, config::ComposeRequest& request,
                  std::vector<std::string>& notes) {
  std::optional<std::vector<std::string>> groups;
  for (std::string& text : request.overrides) {
    const size_t equal = text.find('=');
    const size_t begin = text.starts_with('+') ? 1 : 0;
    if (equal == std::string::npos || text.find('@') < equal) continue;
    const std::string group = text.substr(begin, equal - begin);
    const std::string option = text.substr(equal + 1);
    if (!HasOption(own_conf, group, option) ||
        HasOption(request.config_path, group, option) ||
        !MayAddOwnTree(own_conf, request)) {
      continue;
    }
    if (!groups) groups = ChosenGroups(request);
    if (begin == 0 && !Contains(*groups, group)) text.insert(0, "+");
    request.config_dir = own_conf;
    notes.push_back(fmt::format("{}={} is taken from {}", group, option, own_conf));
  }
}

}  // namespace ridgeline::app
