#include "pipeline/adapt_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "config/value/yaml_load.h"
#include "pipeline/legacy_keys.h"

namespace ridgeline::pipeline {
namespace {

using config::Node;
using config::Value;
using config::Workspace;

// "pipeline.a|b.enable" -> pipeline.a.enable, pipeline.b.enable.
std::vector<std::string> PathsOf(std::string_view pattern) {
  std::vector<std::string> paths = {""};
  for (const std::string& part : config::SplitKey(pattern)) {
    std::vector<std::string> longer;
    for (const std::string& path : paths) {
      for (const std::string& word : SplitChoices(part)) {
        longer.push_back(path.empty() ? word : path + "." + word);
      }
    }
    paths = std::move(longer);
  }
  return paths;
}

// The node at a path, without following interpolations. `open` is false if something
// other than a mapping is in the way.
struct Written {
  Node* node = nullptr;
  bool open = true;
};

Written FindWritten(Node& root, std::string_view path) {
  Node* node = &root;
  for (const std::string& part : config::SplitKey(path)) {
    if (!node->is_dict() || node->special) return {nullptr, false};
    Node** child = node->children.Find(part);
    if (child == nullptr) return {};
    node = *child;
  }
  return {node, true};
}

bool IsOverride(const Node& node) { return node.origin.known() && node.origin.line == 0; }

bool IsIn(const Node& node, const std::string& file) {
  return node.origin.known() && !file.empty() && node.origin.source->ends_with(file);
}

// The values below a mapping with their paths, in tree order.
void CollectLeaves(Node& mapping, const std::string& path,
                   std::vector<std::pair<std::string, Node*>>& leaves) {
  for (const auto& [key, child] : mapping.children) {
    const std::string name = config::Str(Value(key));
    const std::string full = path.empty() ? name : path + "." + name;
    if (child->is_dict() && !child->special) {
      CollectLeaves(*child, full, leaves);
    } else {
      leaves.emplace_back(full, child);
    }
  }
}

class Adopter {
 public:
  Adopter(Workspace& workspace, Node& root, std::span<const KeyGroup> groups,
          const TreeFiles& files)
      : workspace_(workspace), root_(root), groups_(groups), files_(files) {}

  config::Status Adopt(const std::string& old, Node& leaf,
                       std::vector<std::string>& notes) {
    const std::string now = NewNameOf(old);
    if (now.empty() || FindKey(groups_, now) == nullptr) return Ok();
    if (IsOverrideOnly(old) && !IsOverride(leaf)) return Ok();
    if (config::PythonEqual(leaf.value, Value("${" + now + "}"))) return Ok();
    const Written there = FindWritten(root_, now);
    if (there.node != nullptr && !Yields(*there.node, leaf)) {
      notes.push_back(fmt::format("{} is ignored: {} is set ({})", old, now,
                                  there.node->origin.ToString()));
    } else {
      RIDGELINE_RETURN_IF_ERROR(Set(now, config::ToValue(leaf), leaf.origin));
      notes.push_back(fmt::format("{} is now {}", old, now));
    }
    return Set(old, Value("${" + now + "}"), leaf.origin);
  }

 private:
  // Whether a value at the current name yields to an earlier key: defaults always do;
  // presets do if the primary config or the command line has the earlier key.
  bool Yields(const Node& present, const Node& earlier) const {
    if (IsOverride(present)) return false;
    if (IsOverride(earlier) || !present.origin.known()) return true;
    if (!files_.own.empty() && present.origin.source->starts_with(files_.own)) {
      return true;
    }
    return IsIn(earlier, files_.primary) && !IsIn(present, files_.primary);
  }

  config::Status Set(const std::string& key, Value value, const config::Origin& origin) {
    workspace_.source = origin.source;
    value.line = origin.line;
    value.column = origin.column;
    config::Status set =
        config::Update(workspace_, root_, key, value, config::AddKeys::kForce);
    workspace_.source = nullptr;
    return set;
  }

  Workspace& workspace_;
  Node& root_;
  std::span<const KeyGroup> groups_;
  const TreeFiles& files_;
};

std::optional<int64_t> IntOf(const Node& node) {
  if (!node.value.is_int()) return std::nullopt;
  const auto& integer = std::get<config::Integer>(node.value.scalar());
  if (!integer.fits_int64()) return std::nullopt;
  return integer.AsInt64();
}

bool IsOurs(Node& root) {
  return root.children.Find("dataset") != nullptr ||
         root.children.Find("pipeline") != nullptr;
}

config::Status FillKey(Workspace& workspace, Node& root, const ConfigKey& key) {
  if (key.otherwise.empty()) return Ok();
  for (const std::string& path : PathsOf(key.path)) {
    const Written there = FindWritten(root, path);
    if (there.node != nullptr || !there.open) continue;
    RIDGELINE_TRY(const Value value,
                  config::LoadYaml(std::string(key.otherwise), std::string(key.path)));
    RIDGELINE_RETURN_IF_ERROR(
        config::Update(workspace, root, path, value, config::AddKeys::kForce));
  }
  return Ok();
}

}  // namespace

config::Status FillDefaults(Workspace& workspace, Node& root,
                            std::span<const KeyGroup> groups) {
  if (!IsOurs(root)) return Ok();
  for (const KeyGroup& group : groups) {
    for (const ConfigKey& key : group.keys) {
      RIDGELINE_RETURN_IF_ERROR(FillKey(workspace, root, key));
    }
  }
  return Ok();
}

config::Status AdoptLegacyKeys(Workspace& workspace, Node& root,
                               std::span<const KeyGroup> groups, const TreeFiles& files,
                               std::vector<std::string>& notes) {
  std::vector<std::pair<std::string, Node*>> leaves;
  CollectLeaves(root, "", leaves);
  Adopter adopter(workspace, root, groups, files);
  for (const auto& [path, leaf] : leaves) {
    RIDGELINE_RETURN_IF_ERROR(adopter.Adopt(path, *leaf, notes));
  }
  return Ok();
}

config::Status LiftCaptureLimits(Workspace& workspace, Node& root,
                                 std::vector<std::string>& notes) {
  constexpr std::pair<const char*, const char*> kLimited[] = {
      {"dataset.sampling.num_samples_per_epoch", "samples"},
      {"infer.max_new_tokens", "max_new_tokens"},
  };
  for (const auto& [key, limit] : kLimited) {
    const Node* const given = FindWritten(root, key).node;
    if (given == nullptr || !IsOverride(*given) || !IntOf(*given)) continue;
    for (const char* const stage : {"nsys", "ncu"}) {
      const std::string path = fmt::format("pipeline.{}.limits.{}", stage, limit);
      const Node* const present = FindWritten(root, path).node;
      if (present == nullptr || IsOverride(*present) || !IntOf(*present)) continue;
      if (*IntOf(*given) <= *IntOf(*present)) continue;
      RIDGELINE_RETURN_IF_ERROR(
          config::Update(workspace, root, path, Value(), config::AddKeys::kForce));
      const Node* const on =
          FindWritten(root, fmt::format("pipeline.{}.enable", stage)).node;
      if (on == nullptr || !config::PythonEqual(on->value, Value(true))) continue;
      notes.push_back(fmt::format("{} is lifted: {}={} is given", path, key,
                                  config::Str(given->value)));
    }
  }
  return Ok();
}

const ConfigKey* FindKey(std::span<const KeyGroup> groups, std::string_view path) {
  for (const KeyGroup& group : groups) {
    for (const ConfigKey& key : group.keys) {
      const std::vector<std::string> paths = PathsOf(key.path);
      if (std::find(paths.begin(), paths.end(), path) != paths.end()) return &key;
    }
  }
  return nullptr;
}

}  // namespace ridgeline::pipeline
