#include <algorithm>
#include <set>
#include <sstream>

#include "app/hydra/hydra_actions.h"
#include "app/run/run_options.h"
#include "config/compose/config_repository.h"
#include "config/compose/search_path.h"
#include "config/overrides/override_parser.h"
#include "config/tree/select.h"
#include "config/value/python_text.h"

namespace ridgeline::app {
namespace {

using config::Listing;

std::set<std::string> AsSet(const std::vector<std::string>& words) {
  return {words.begin(), words.end()};
}

std::vector<std::string> Words(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// "key=./pa": completes the path after the last '='.
std::optional<std::vector<std::string>> FileCompletions(const std::string& word,
                                                        const Here& here) {
  const size_t equals = word.rfind('=');
  if (equals == std::string::npos) return std::nullopt;
  const std::string key = word.substr(0, equals + 1);
  const std::string path = word.substr(equals + 1);
  if (!path.starts_with('.') && !path.starts_with('/')) return std::nullopt;
  const size_t slash = path.rfind('/');
  const std::string directory =
      slash == std::string::npos ? "" : path.substr(0, slash + 1);
  const std::string beginning = path.substr(directory.size());
  const std::string absolute = config::JoinPath(here.request.working_directory,
                                                directory.empty() ? "." : directory);
  std::vector<std::string> found;
  for (const std::string& name :
       here.request.files->List(config::NormalizePath(absolute))) {
    if (name.starts_with(beginning)) found.push_back(key + directory + name);
  }
  return found;
}

struct GroupMatches {
  std::vector<std::string> words;
  bool is_group_option = false;  // "db=" names a group: do not complete config keys.
};

GroupMatches MatchOptions(const config::ConfigRepository& repository,
                          const std::string& prefix, const std::string& word) {
  GroupMatches matches;
  const std::string group = word.substr(0, word.rfind('='));
  const std::string path = group.substr(0, group.find('@'));
  for (const std::string& option : repository.GroupOptions(path, Listing::kConfigs)) {
    const std::string name = group + "=" + option;
    if (name.starts_with(word)) matches.words.push_back(prefix + name);
    matches.is_group_option = true;
  }
  return matches;
}

GroupMatches MatchGroups(const config::ConfigRepository& repository,
                         const std::string& typed) {
  const bool marked = typed.starts_with('+') || typed.starts_with('~');
  const std::string prefix = marked ? typed.substr(0, 1) : "";
  const std::string word = typed.substr(prefix.size());
  if (word.find('=') != std::string::npos) return MatchOptions(repository, prefix, word);
  const size_t slash = word.rfind('/');
  const std::string parent = slash == std::string::npos ? "" : word.substr(0, slash);
  GroupMatches matches;
  for (const std::string& child : repository.GroupOptions(parent, Listing::kGroups)) {
    std::string name = parent.empty() ? child : parent + "/" + child;
    if (!name.starts_with(word)) continue;
    const bool has_options = !repository.GroupOptions(name, Listing::kConfigs).empty();
    const bool has_groups = !repository.GroupOptions(name, Listing::kGroups).empty();
    if (has_options && !has_groups && prefix != "~") {
      name += "=";
    } else if (has_groups && !has_options) {
      name += "/";
    }
    matches.words.push_back(prefix + name);
  }
  return matches;
}

std::string KeySuffix(const config::Node& node) {
  return node.is_container() && !node.special ? "." : "=";
}

std::vector<std::string> ChildMatches(const config::Node& container,
                                      const std::string& beginning) {
  std::vector<std::string> matches;
  const auto add = [&](const std::string& key, const config::Node& child) {
    if (key.starts_with(beginning)) matches.push_back(key + KeySuffix(child));
  };
  for (const auto& [key, child] : container.children) {
    add(config::Str(config::Value(key)), *child);
  }
  for (size_t i = 0; i < container.items.size(); ++i) {
    add(std::to_string(i), *container.items[i]);
  }
  return matches;
}

config::Node* SelectQuietly(config::Workspace& workspace, config::Node& root,
                            const std::string& key) {
  config::Result<config::Node*> found = config::Select(workspace, root, key);
  return found.ok() ? found.value() : nullptr;
}

// "a.b." lists the keys of a.b, "a.b=" shows its value, "a.b" completes the name.
std::vector<std::string> MatchKeys(config::Workspace& workspace, config::Node& root,
                                   const std::string& word) {
  const bool whole = word.ends_with('.') || word.ends_with('=');
  const size_t dot = whole ? word.size() - 1 : word.rfind('.');
  const std::string base = dot == std::string::npos ? "" : word.substr(0, dot);
  const std::string shown = dot == std::string::npos ? "" : word.substr(0, dot + 1);
  config::Node* node =
      dot == std::string::npos ? &root : SelectQuietly(workspace, root, base);
  if (node == nullptr) return {};
  if (node->is_container() && !node->special) {
    std::vector<std::string> matches = ChildMatches(*node, word.substr(shown.size()));
    for (std::string& match : matches) match.insert(0, shown);
    return matches;
  }
  if (!whole) return {};
  std::string text = config::Str(node->value);
  if (node->value.is_bool()) text[0] = static_cast<char>(text[0] | 0x20);
  return {word + text};
}

// Groups with a package ("net@model") can only be overridden with it.
std::vector<std::string> MatchPlacedGroups(const config::Choices& choices,
                                           const std::string& word) {
  std::vector<std::string> matches;
  for (const auto& [key, choice] : choices) {
    if (key.find('@') != std::string::npos && key.starts_with(word)) {
      matches.push_back(key + "=");
    }
  }
  return matches;
}

}  // namespace

Result<std::vector<std::string>> Completions(std::string_view line, const Here& here) {
  const std::vector<std::string> typed = Words(line);
  RIDGELINE_TRY(const RunOptions run_options, ParseRunOptions(typed));
  HydraOptions options = run_options.hydra;
  std::string word;
  if (!line.empty() && line.back() != ' ' && !options.overrides.empty()) {
    word = options.overrides.back();
    options.overrides.pop_back();
  }
  if (std::optional<std::vector<std::string>> files = FileCompletions(word, here)) {
    return *files;
  }
  config::ComposeRequest request = here.request;
  request.overrides = options.overrides;
  config::Workspace workspace(here.world);
  config::ConfigRepository repository(workspace, *request.files,
                                      request.working_directory);
  config::Status prepared = repository.SetSearchPath(config::BaseSearchPath(request));
  config::Result<std::vector<config::Override>> overrides =
      config::ParseOverrides(request.overrides);
  // Groups are completed even if the line cannot be composed yet.
  if (prepared.ok() && overrides.ok()) {
    prepared = config::ExtendSearchPath(repository, request, overrides.value());
  }
  GroupMatches groups = MatchGroups(repository, word);
  std::set<std::string> matches = AsSet(groups.words);
  if (!groups.is_group_option) {
    config::Result<config::Composition> composed = config::Compose(workspace, request);
    if (composed.ok()) {
      matches.merge(AsSet(MatchKeys(workspace, *composed.value().root, word)));
      matches.merge(AsSet(MatchPlacedGroups(composed.value().defaults.choices, word)));
    }
  }
  return std::vector<std::string>(matches.begin(), matches.end());
}

}  // namespace ridgeline::app
