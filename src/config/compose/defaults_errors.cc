#include "config/compose/defaults_errors.h"

#include <string>
#include <utility>
#include <vector>

#include "config/tree/suggest.h"

namespace ridgeline::config {
namespace {

std::string Indented(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\t" : "\n\t") + name;
  return text;
}

std::string NotFoundText(const InputDefault& entry,
                         const std::vector<std::string>& options) {
  if (!entry.is_group()) return "Could not load '" + entry.ConfigPath() + "'.\n";
  std::string text = "Could not find '" + entry.ConfigPath() + "'\n";
  if (!options.empty()) {
    text += "\nAvailable options in '" + entry.GroupPath() + "':\n" + Indented(options);
  }
  return text;
}

std::string SuggestOption(const InputDefault& entry,
                          const std::vector<std::string>& options) {
  const std::string nearest = Nearest(entry.NameText(), options);
  return nearest.empty() ? "" : "Did you mean '" + nearest + "'?";
}

}  // namespace

Error ConfigNotFound(const ConfigRepository& repository, const DefaultsTreeNode& node) {
  const InputDefault& entry = node.element;
  const std::vector<std::string> options =
      repository.GroupOptions(entry.GroupPath(), Listing::kConfigs);
  std::string text;
  if (entry.primary) {
    text = "Cannot find primary config '" + entry.ConfigPath() +
           "'. Check that it's in your config search path.\n";
  } else {
    if (node.parent != nullptr) {
      text = "In '" + node.parent->element.ConfigPath() + "': ";
    }
    text += NotFoundText(entry, options);
  }
  std::vector<std::string> sources;
  for (const ConfigSource& source : repository.sources()) {
    sources.push_back(source.ToString());
  }
  text += "\nConfig search path:\n" + Indented(sources);
  Error error(ErrorKind::kMissingConfig, std::move(text));
  error.origin = entry.origin;
  error.hint = SuggestOption(entry, options);
  return error;
}

Error OptionRequired(const ConfigRepository& repository, const InputDefault& entry) {
  const std::string key = entry.OverrideKey();
  Error error(
      ErrorKind::kConfigComposition,
      "You must specify '" + key + "', e.g, " + key + "=<OPTION>\nAvailable options:\n" +
          Indented(repository.GroupOptions(entry.GroupPath(), Listing::kConfigs)));
  error.origin = entry.origin;
  return error;
}

}  // namespace ridgeline::config
