#include "pipeline/config_schema.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "config/reader.h"
#include "config/tree/evaluate.h"
#include "config/tree/suggest.h"
#include "config/value/python_text.h"
#include "pipeline/config_values.h"
#include "pipeline/legacy_keys.h"

namespace ridgeline::pipeline {
namespace {

using config::ErrorKind;
using config::Integer;
using config::Node;
using config::Workspace;

using Path = std::vector<std::string>;

bool IsTextAllowed(const ConfigKey& key, std::string_view text) {
  if (key.accepts != nullptr) return key.accepts(text);
  if (key.choices.empty()) return true;
  const std::vector<std::string> words = SplitChoices(key.choices);
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::vector<std::string> SplitCommas(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

bool IsInRange(const ConfigKey& key, double number) {
  return std::isfinite(number) && (!key.min || number >= *key.min) &&
         (!key.above || number > *key.above);
}

// 'gpu' is 'cuda', although 'cpu' is more similar.
std::string NearestChoice(std::string_view word,
                          const std::vector<std::string>& choices) {
  const std::string_view meant = word == "gpu" || word == "GPU" ? "cuda" : word;
  return config::Nearest(meant, choices);
}

// The interpolations in the values of a tree.
void AddInterpolations(const Node& node, std::string& all) {
  for (const auto& [key, child] : node.children) AddInterpolations(*child, all);
  for (const Node* item : node.items) AddInterpolations(*item, all);
  if (node.IsInterpolation()) all += node.value.string() + " ";
}

class Checker {
 public:
  Checker(Workspace& workspace, std::span<const KeyGroup> groups, UnknownKeys unknown)
      : workspace_(workspace), rules_(MakeRules(groups)), unknown_(unknown) {}

  void CheckMapping(Node& mapping, Path& path) {
    for (const auto& [key, child] : mapping.children) {
      path.push_back(config::Str(config::Value(key)));
      CheckNode(*child, path);
      path.pop_back();
    }
    CheckRequired(mapping, path);
  }

  std::vector<config::Error> errors;

 private:
  // How well a pattern such as pipeline.*.enable matches a path.
  enum class Fit { kNone, kAbove, kWhole };

  // "*", "a", or "a|b" for a or b.
  static bool Matches(const std::string& pattern, const std::string& key) {
    if (pattern == "*" || pattern == key) return true;
    if (pattern.find('|') == std::string::npos) return false;
    const std::vector<std::string> words = SplitChoices(pattern);
    return std::find(words.begin(), words.end(), key) != words.end();
  }

  static Fit FitOf(const Path& pattern, const Path& path) {
    if (pattern.size() < path.size()) return Fit::kNone;
    for (size_t i = 0; i < path.size(); ++i) {
      if (!Matches(pattern[i], path[i])) return Fit::kNone;
    }
    return pattern.size() == path.size() ? Fit::kWhole : Fit::kAbove;
  }

  struct Rule {
    const ConfigKey* key;
    Path pattern;
  };

  static std::vector<Rule> MakeRules(std::span<const KeyGroup> groups) {
    std::vector<Rule> rules;
    for (const KeyGroup& group : groups) {
      for (const ConfigKey& key : group.keys) {
        rules.push_back({&key, config::SplitKey(key.path)});
      }
    }
    return rules;
  }

  // The rules above `path`, in table order; `whole` is the one for the path itself.
  struct Found {
    const ConfigKey* whole = nullptr;
    bool above = false;
    std::vector<std::string> next;  // Possible next keys.
  };

  Found Lookup(const Path& path) const {
    Found found;
    for (const Rule& rule : rules_) {
      switch (FitOf(rule.pattern, path)) {
        case Fit::kNone:
          break;
        case Fit::kWhole:
          if (found.whole == nullptr) found.whole = rule.key;
          break;
        case Fit::kAbove:
          found.above = true;
          AddOnce(found.next, rule.pattern[path.size()]);
          break;
      }
    }
    return found;
  }

  static void AddOnce(std::vector<std::string>& words, const std::string& word) {
    for (const std::string& one : SplitChoices(word)) {
      const bool is_known = std::find(words.begin(), words.end(), one) != words.end();
      if (one != "*" && !is_known) words.push_back(one);
    }
  }

  void CheckNode(Node& node, Path& path) {
    const Found found = Lookup(path);
    if (!found.above && found.whole == nullptr) {
      CheckUnknown(node, path);
      return;
    }
    config::Result<Node*> meant = config::Dereference(workspace_, node);
    if (!meant.ok()) {
      errors.push_back(Unresolved(node, meant.error()));
      return;
    }
    if (!found.above) {
      CheckValue(node, *meant.value(), *found.whole);
    } else if (meant.value()->is_dict() && !meant.value()->special) {
      CheckMapping(*meant.value(), path);
    } else {
      errors.push_back(config::WrongValue(node, *meant.value(), "a mapping"));
    }
  }

  void CheckUnknown(Node& node, Path& path) {
    if (path.back() == "description") return;
    if (node.is_dict() && !node.special && HoldsEarlierKey(node)) {
      CheckMapping(node, path);
    } else if (IsAdopted(node)) {
      return;
    } else if (unknown_ == UnknownKeys::kWarnInFiles && node.origin.line > 0) {
      WarnUnused(node);
    } else {
      errors.push_back(Unknown(node, path));
    }
  }

  // outputs.save_predictions: ${pipeline.torch_profiler.output.prediction.enable}
  static bool IsAdopted(const Node& node) {
    const std::string now = NewNameOf(config::FullKey(node, std::nullopt));
    return !now.empty() &&
           config::PythonEqual(node.value, config::Value("${" + now + "}"));
  }

  static bool HoldsEarlierKey(const Node& node) {
    return std::any_of(node.children.begin(), node.children.end(), [](const auto& entry) {
      const Node& child = *entry.second;
      return child.is_dict() ? HoldsEarlierKey(child) : IsAdopted(child);
    });
  }

  // Whether an absolute interpolation in any value refers to the key, or to one below.
  bool IsReferredTo(const Node& node, const std::string& key) const {
    const Node* root = &node;
    while (root->parent != nullptr) root = root->parent;
    std::string all;
    AddInterpolations(*root, all);
    if (workspace_.hydra != nullptr) AddInterpolations(*workspace_.hydra, all);
    return all.find("${" + key + "}") != all.npos ||
           all.find("${" + key + ".") != all.npos;
  }

  void WarnUnused(const Node& node) {
    const std::string key = config::FullKey(node, std::nullopt);
    if (IsReferredTo(node, key)) return;
    workspace_.Warn(key + " is not used: " + WhyUnused(key) + " (" +
                    node.origin.ToString() + ")");
  }

  void CheckRequired(Node& mapping, Path& path) {
    for (const Rule& rule : rules_) {
      if (!rule.key->required || rule.pattern.size() != path.size() + 1) continue;
      if (!std::equal(path.begin(), path.end(), rule.pattern.begin())) continue;
      if (mapping.children.Find(rule.pattern.back()) != nullptr) continue;
      config::Error error(
          ErrorKind::kValidation,
          std::string(rule.key->path) + ": missing; expected " + Expected(*rule.key));
      error.origin = mapping.origin;
      errors.push_back(std::move(error));
    }
  }

  void CheckValue(Node& node, Node& meant, const ConfigKey& key) {
    if (meant.IsNone() && key.nullable) return;
    switch (key.kind) {
      case ValueKind::kTextList:
      case ValueKind::kTextOrList:
      case ValueKind::kArguments:
        CheckList(node, meant, key);
        return;
      case ValueKind::kMapping:
        if (meant.is_dict() && !meant.special) return;
        break;
      case ValueKind::kMappingList:
        if (meant.is_list() && !meant.special) return;
        break;
      case ValueKind::kBool:
      case ValueKind::kInteger:
      case ValueKind::kNumber:
      case ValueKind::kText:
        if (IsScalarAllowed(meant, key)) return;
        break;
    }
    AddWrong(node, meant, key);
  }

  static bool IsScalarAllowed(const Node& node, const ConfigKey& key) {
    if (!node.is_scalar() || !node.value.is_scalar() || node.IsMissing()) return false;
    const config::Scalar& value = node.value.scalar();
    const Integer* integer = std::get_if<Integer>(&value);
    switch (key.kind) {
      case ValueKind::kBool:
        return std::holds_alternative<bool>(value);
      case ValueKind::kInteger:
        return integer != nullptr && integer->fits_int64() &&
               IsInRange(key, integer->ToDouble());
      case ValueKind::kNumber: {
        const double* number = std::get_if<double>(&value);
        if (number != nullptr) return IsInRange(key, *number);
        return integer != nullptr && IsInRange(key, integer->ToDouble());
      }
      case ValueKind::kText: {
        const std::string* text = std::get_if<std::string>(&value);
        return text != nullptr && IsTextAllowed(key, *text);
      }
      case ValueKind::kTextList:
      case ValueKind::kTextOrList:
      case ValueKind::kArguments:
      case ValueKind::kMapping:
      case ValueKind::kMappingList:
        return false;
    }
    return false;
  }

  void CheckList(Node& node, Node& meant, const ConfigKey& key) {
    if (meant.is_list() && !meant.special) {
      for (Node* item : meant.items) CheckItem(*item, key);
      return;
    }
    const bool one_text =
        key.kind == ValueKind::kTextOrList && meant.is_scalar() && !meant.IsMissing();
    if (one_text && meant.value.is_int()) return;  // gpu_metrics=0
    if (!one_text || !meant.value.is_string()) {
      AddWrong(node, meant, key);
      return;
    }
    for (const std::string& part : SplitCommas(meant.value.string())) {
      if (IsTextAllowed(key, part)) continue;
      AddWrong(node, meant, key, part);
      return;
    }
  }

  void CheckItem(Node& item, const ConfigKey& key) {
    config::Result<Node*> meant = config::Dereference(workspace_, item);
    if (!meant.ok()) {
      errors.push_back(Unresolved(item, meant.error()));
      return;
    }
    ConfigKey one = key;
    one.kind = ValueKind::kText;
    one.nullable = false;
    const Node& node = *meant.value();
    if (IsNumberAllowed(node, key) || IsScalarAllowed(node, one)) return;
    AddWrong(item, node, one);
    if (key.kind == ValueKind::kArguments && errors.back().hint.empty()) {
      errors.back().hint = "Quote it to pass a string: 'true', 'null'.";
    }
  }

  static bool IsNumberAllowed(const Node& item, const ConfigKey& key) {
    if (!item.is_scalar()) return false;
    if (key.kind == ValueKind::kArguments) {
      return item.value.is_int() || item.value.is_float();
    }
    return key.kind == ValueKind::kTextOrList && item.value.is_int() &&
           key.choices.empty();
  }

  void AddWrong(const Node& node, const Node& meant, const ConfigKey& key,
                std::string_view word = "") {
    if (IsReportedElsewhere(node, meant, key)) return;
    config::Error error = config::WrongValue(node, meant, Expected(key));
    if (word.empty() && meant.is_scalar() && meant.value.is_string()) {
      word = meant.value.string();
    }
    if (!key.choices.empty()) {
      const std::string nearest = NearestChoice(word, SplitChoices(key.choices));
      if (nearest == word && key.kind == ValueKind::kTextList) {
        error.hint = "Write a list: [" + nearest + "]";
      } else if (!nearest.empty()) {
        error.hint = "Did you mean '" + nearest + "'?";
      }
    }
    errors.push_back(std::move(error));
  }

  // run.device: ${device} repeats the error of device.
  bool IsReportedElsewhere(const Node& node, const Node& meant,
                           const ConfigKey& key) const {
    if (&node == &meant || meant.computed || meant.parent == nullptr) return false;
    const ConfigKey* rule =
        Lookup(config::SplitKey(config::FullKey(meant, std::nullopt))).whole;
    return rule != nullptr && Expected(*rule) == Expected(key);
  }

  static config::Error Unresolved(const Node& node, const config::Error& why) {
    config::Error error(why.kind,
                        config::FullKey(node, std::nullopt) + ": " + why.message);
    error.origin = node.origin;
    return error;
  }

  config::Error Unknown(const Node& node, const Path& path) const {
    const Path parent(path.begin(), path.end() - 1);
    config::Error error = config::UnknownKey(node, Lookup(parent).next);
    if (const std::string now = NewNameHint(node); !now.empty()) {
      error.hint = now;
    } else if (error.hint.empty()) {
      error.hint = SameWordElsewhere(path.back());
    }
    if (error.hint.empty() && path.size() == 1) {
      error.hint = "Put your own keys under 'user': +user." + path.back() + "=...";
    }
    return error;
  }

  // For a key of an earlier configuration; a mapping is identified by its first value.
  static std::string NewNameHint(const Node& node) {
    const Node* leaf = &node;
    while (leaf->is_dict() && !leaf->children.empty()) {
      leaf = leaf->children.begin()->second;
    }
    const std::string old = config::FullKey(*leaf, std::nullopt);
    const std::string now = NewNameOf(old);
    return now.empty() ? "" : "'" + old + "' is now '" + now + "'.";
  }

  // pipeline.ncu.sections -> pipeline.ncu.ncu_cli.sections.
  std::string SameWordElsewhere(const std::string& word) const {
    const Rule* only = nullptr;
    for (const Rule& rule : rules_) {
      if (rule.pattern.back() != word) continue;
      if (only != nullptr) return "";
      only = &rule;
    }
    if (only == nullptr) return "";
    return "Did you mean '" + std::string(only->key->path) + "'?";
  }

  Workspace& workspace_;
  const std::vector<Rule> rules_;
  const UnknownKeys unknown_;
};

}  // namespace

std::vector<config::Error> CheckConfig(Workspace& workspace, Node& job_config,
                                       std::span<const KeyGroup> groups,
                                       UnknownKeys unknown) {
  Checker checker(workspace, groups, unknown);
  Path path;
  checker.CheckMapping(job_config, path);
  // An invalid value is not checked against other keys.
  const auto is_wrong_already = [&checker](const config::Error& relation) {
    const std::string key = relation.message.substr(0, relation.message.find(':') + 1);
    return std::any_of(
        checker.errors.begin(), checker.errors.end(),
        [&key](const config::Error& error) { return error.message.starts_with(key); });
  };
  ConfigValues values(workspace, job_config);
  for (const KeyGroup& group : groups) {
    if (group.check != nullptr) group.check(values);
  }
  std::erase_if(values.errors, is_wrong_already);
  checker.errors.insert(checker.errors.end(), values.errors.begin(), values.errors.end());
  return std::move(checker.errors);
}

}  // namespace ridgeline::pipeline
