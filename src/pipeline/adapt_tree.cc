#include "pipeline/adapt_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "config/tree/assign.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "config/value/yaml_load.h"
#include "os/files.h"
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

// Whether an earlier key was reported already: it is in a file and on the command line.
bool IsNoted(const std::string& old, const std::vector<std::string>& notes) {
  return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
    return note.starts_with(old + " is ");
  });
}

constexpr std::string_view kDisableStatic = "stage1_runner.disable_static";

class Adopter {
 public:
  Adopter(Workspace& workspace, Node& root, std::span<const KeyGroup> groups,
          const TreeFiles& files)
      : workspace_(workspace), root_(root), groups_(groups), files_(files) {}

  config::Status Adopt(const std::string& old, Node& leaf,
                       std::vector<std::string>& notes) {
    if (old == kDisableStatic) return AdoptDisableStatic(leaf, notes);
    const std::string now = NewNameOf(old);
    if (now.empty() || FindKey(groups_, now) == nullptr) return Ok();
    if (IsOverrideOnly(old) && !IsOverride(leaf)) return Ok();
    if (config::PythonEqual(leaf.value, Value("${" + now + "}"))) return Ok();
    const Written there = FindWritten(root_, now);
    std::string note;
    if (there.node != nullptr && !Yields(*there.node, leaf)) {
      note = fmt::format("{} is ignored: {} is set ({})", old, now,
                         there.node->origin.ToString());
    } else {
      RIDGELINE_RETURN_IF_ERROR(Set(now, config::ToValue(leaf), leaf.origin));
      note = fmt::format("{} is now {}", old, now);
      if (!IsOverride(leaf)) note += fmt::format(" ({})", leaf.origin.ToString());
    }
    if (!IsNoted(old, notes)) notes.push_back(std::move(note));
    return Set(old, Value("${" + now + "}"), leaf.origin);
  }

 private:
  // The opposite of its new key. A false in a file had no effect.
  config::Status AdoptDisableStatic(Node& leaf, std::vector<std::string>& notes) {
    const std::string now = "pipeline.static_analysis.enable";
    const bool is_true = config::PythonEqual(leaf.value, Value(true));
    if (FindKey(groups_, now) == nullptr ||
        (!is_true && !config::PythonEqual(leaf.value, Value(false)))) {
      return Ok();
    }
    const config::Origin origin = leaf.origin;
    const bool is_override = IsOverride(leaf);
    const Written there = FindWritten(root_, now);
    const bool yields = there.node == nullptr || Yields(*there.node, leaf);
    if (is_true || is_override) {
      notes.push_back(yields
                          ? fmt::format("{}={} is now {}={} ({})", kDisableStatic,
                                        is_true, now, !is_true, origin.ToString())
                          : fmt::format("{} is ignored: {} is set ({})", kDisableStatic,
                                        now, there.node->origin.ToString()));
      if (yields) RIDGELINE_RETURN_IF_ERROR(Set(now, Value(!is_true), origin));
    }
    return Remove(leaf);
  }

  // With the mapping around it, if that is empty then.
  static config::Status Remove(Node& leaf) {
    Node* const parent = leaf.parent;
    const config::StructFlagGuard guard(*parent, false);
    RIDGELINE_RETURN_IF_ERROR(config::DeleteItem(*parent, leaf.key));
    if (parent->size() > 0 || parent->parent == nullptr) return Ok();
    return Remove(*parent);
  }

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

// hydra.run.dir of a tree that does not set it.
constexpr const char* kHydraRunDir = "outputs/${now:%Y-%m-%d}/${now:%H-%M-%S}";

std::optional<int64_t> IntOf(const Node& node) {
  if (!node.value.is_int()) return std::nullopt;
  const auto& integer = std::get<config::Integer>(node.value.scalar());
  if (!integer.fits_int64()) return std::nullopt;
  return integer.AsInt64();
}

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

// A number that limits captures if it is given on the command line.
struct GivenNumber {
  std::string key;
  const Node* node = nullptr;  // Null: not on the command line, or not a number.

  // "run.repeats=5 is given"; null: everything.
  std::string ToString() const {
    return fmt::format("{}={} is given", key,
                       node->IsNone() ? "null" : config::Str(node->value));
  }
};

GivenNumber FindGiven(Node& root, const std::string& key) {
  const Node* const node = FindWritten(root, key).node;
  if (node == nullptr || !IsOverride(*node)) return {key};
  return {key, node->IsNone() || IntOf(*node) ? node : nullptr};
}

// Why a capture should not be limited to `limit`; empty: it may.
std::string ReasonToLift(const GivenNumber& given, int64_t limit) {
  if (given.node == nullptr) return "";
  return IntOf(*given.node).value_or(kUnlimited) > limit ? given.ToString() : "";
}

// Samples are those of all epochs.
std::string ReasonForMoreSamples(Node& root, int64_t limit) {
  const std::string sampling = "dataset.sampling.";
  const GivenNumber samples = FindGiven(root, sampling + "num_samples_per_epoch");
  std::string reason = ReasonToLift(samples, limit);
  const GivenNumber epochs = FindGiven(root, sampling + "num_epochs");
  if (!reason.empty() || epochs.node == nullptr) return reason;
  const Node* const written = FindWritten(root, samples.key).node;
  const int64_t count = IntOf(*epochs.node).value_or(1);
  const int64_t per_epoch =
      (written == nullptr ? std::nullopt : IntOf(*written)).value_or(kUnlimited);
  // One epoch is the minimum: it asks for nothing. No overflow: divides.
  return count > 1 && per_epoch > limit / count ? epochs.ToString() : "";
}

// run.mode=light reads one sample, once, whatever else is given.
std::string ReasonToLift(Node& root, std::string_view limited, int64_t limit) {
  const Node* const mode = FindWritten(root, "run.mode").node;
  const bool is_light =
      mode != nullptr && config::PythonEqual(mode->value, Value(std::string("light")));
  if (limited == "samples") return is_light ? "" : ReasonForMoreSamples(root, limit);
  if (limited == "repeats") {
    return is_light ? "" : ReasonToLift(FindGiven(root, "run.repeats"), limit);
  }
  // Replaces this limit.
  const Node* const tokens = FindWritten(root, "run.representative_max_new_tokens").node;
  if (tokens != nullptr && IntOf(*tokens)) return "";
  return ReasonToLift(FindGiven(root, "infer.max_new_tokens"), limit);
}

bool IsOurs(Node& root) {
  return root.children.Find("dataset") != nullptr ||
         root.children.Find("pipeline") != nullptr;
}

template <typename Matches>
const ConfigKey* FirstKey(std::span<const KeyGroup> groups, Matches matches) {
  for (const KeyGroup& group : groups) {
    for (const ConfigKey& key : group.keys) {
      const std::vector<std::string> paths = PathsOf(key.path);
      if (std::any_of(paths.begin(), paths.end(), matches)) return &key;
    }
  }
  return nullptr;
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

config::Status UniteRunDirectories(Workspace& workspace, Node& root) {
  constexpr const char* kAlias = "artifacts.runs_dir";
  constexpr const char* kUsed = "hydra.run.dir";
  const Value mirrored(std::string("${hydra:run.dir}"));
  const Node* const alias = FindWritten(root, kAlias).node;
  const Node* const used = FindWritten(root, kUsed).node;
  if (!IsOurs(root) || alias == nullptr || used == nullptr || !alias->is_scalar() ||
      config::PythonEqual(alias->value, mirrored)) {
    return Ok();
  }
  const auto is_used = [used](const char* text) {
    return config::PythonEqual(used->value, Value(std::string(text)));
  };
  // Relative interpolations depend on their place.
  const bool may_move = config::Str(alias->value).find("${.") == std::string::npos;
  const bool names_it = is_used("${artifacts.runs_dir}") || is_used(kHydraRunDir) ||
                        (IsOverride(*alias) && !IsOverride(*used));
  if (names_it && may_move) {
    RIDGELINE_RETURN_IF_ERROR(config::Update(
        workspace, root, kUsed, config::ToValue(*alias), config::AddKeys::kForce));
  } else if (IsOverride(*alias) || !IsOverride(*used)) {
    return Ok();  // Two directories: CheckConfig compares them.
  }
  return config::Update(workspace, root, kAlias, mirrored, config::AddKeys::kForce);
}

config::Status ReplaceMissingLink(Workspace& workspace, Node& root,
                                  const std::filesystem::path& here,
                                  std::vector<std::string>& notes) {
  constexpr const char* kKey = "dataset.root";
  constexpr std::string_view kHere = "${hydra:runtime.cwd}/";
  constexpr std::string_view kLink = "/source-data";
  const Node* const node = FindWritten(root, kKey).node;
  if (node == nullptr || !node->value.is_string()) return Ok();
  const std::string written = node->value.string();
  if (!written.ends_with(kLink)) return Ok();
  const std::string above = written.substr(0, written.size() - kLink.size());
  const std::filesystem::path path =
      here / (above.starts_with(kHere) ? above.substr(kHere.size()) : above);
  if (os::Exists(path.string() + std::string(kLink)) ||
      !os::IsDirectory(path / "images")) {
    return Ok();
  }
  notes.push_back(fmt::format("{} is {}: it has no source-data", kKey, path.string()));
  return config::Update(workspace, root, kKey, Value(above), config::AddKeys::kForce);
}

config::Status LiftCaptureLimits(Workspace& workspace, Node& root,
                                 std::vector<std::string>& notes) {
  for (const char* const limited : {"samples", "repeats", "max_new_tokens"}) {
    for (const char* const stage : {"nsys", "ncu"}) {
      const std::string path = fmt::format("pipeline.{}.limits.{}", stage, limited);
      const Node* const present = FindWritten(root, path).node;
      if (present == nullptr || IsOverride(*present) || !IntOf(*present)) continue;
      const std::string reason = ReasonToLift(root, limited, *IntOf(*present));
      if (reason.empty()) continue;
      RIDGELINE_RETURN_IF_ERROR(
          config::Update(workspace, root, path, Value(), config::AddKeys::kForce));
      const Node* const on =
          FindWritten(root, fmt::format("pipeline.{}.enable", stage)).node;
      if (on == nullptr || !config::PythonEqual(on->value, Value(true))) continue;
      notes.push_back(fmt::format("{} is lifted: {}", path, reason));
    }
  }
  return Ok();
}

const ConfigKey* FindKey(std::span<const KeyGroup> groups, std::string_view path) {
  return FirstKey(groups, [path](const std::string& known) { return known == path; });
}

bool HasKeysBelow(std::span<const KeyGroup> groups, std::string_view path) {
  const std::string inside = std::string(path) + ".";
  return FirstKey(groups, [&inside](const std::string& known) {
           return known.starts_with(inside);
         }) != nullptr;
}

}  // namespace ridgeline::pipeline
