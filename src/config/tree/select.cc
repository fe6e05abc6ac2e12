#include "config/tree/select.h"

#include <algorithm>
#include <string>
#include <utility>

#include "config/tree/build.h"
#include "config/tree/locate.h"
#include "config/tree/merge.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

std::string Joined(const std::vector<std::string>& parts, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ".") + parts[i];
  return text;
}

// The container at the end of all parts but the last; null if it does not exist.
Result<Node*> WalkToParent(Workspace& workspace, Node& root, std::string_view key,
                           const std::vector<std::string>& parts,
                           const SelectOptions& options) {
  Node* container = &root;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    RIDGELINE_TRY(Node * next, SelectOne(*container, parts[i], options));
    if (next == nullptr) return nullptr;
    RIDGELINE_TRY(next, Dereference(workspace, *next, options.visiting));
    if (!next->is_container()) {
      return Error(ErrorKind::kConfigType,
                   "Error trying to access " + std::string(key) + ": node `" +
                       Joined(parts, i + 1) +
                       "` is not a container and thus cannot contain `" + parts[i + 1] +
                       "`");
    }
    container = next;
  }
  return container;
}

// The key in the container's key type: lists take numbers.
Scalar KeyFor(const Node& container, const std::string& part) {
  if (container.is_list()) {
    if (const std::optional<Integer> index = ParsePythonInt(part)) return *index;
  }
  return part;
}

// The next container on the path of an update; a scalar is replaced by a dict.
Result<Node*> StepInto(Workspace& workspace, Node& container, const std::string& part,
                       AddKeys add_keys) {
  RIDGELINE_TRY(const Node* next, SelectOne(container, part, {}));
  const Scalar key = KeyFor(container, part);
  if (next == nullptr || !next->is_container()) {
    StructFlagGuard guard(container, add_keys == AddKeys::kForce
                                         ? std::optional<bool>(false)
                                         : container.struct_flag);
    const Value empty = Dict();
    RIDGELINE_RETURN_IF_ERROR(SetItem(workspace, container, key, &empty));
  }
  RIDGELINE_TRY(Node * child, ReadItem(workspace, container, key));
  if (!child->is_container() || child->special) {
    return Error(ErrorKind::kAssertion,
                 "Unexpected type for root: " + TypeName(child->value));
  }
  return child;
}

Status UpdateLast(Workspace& workspace, Node& container, const std::string& part,
                  const Value& value) {
  Scalar key = part;
  if (container.is_list()) {
    const std::optional<Integer> index = ParsePythonInt(part);
    if (!index) {
      return Error(ErrorKind::kValue,
                   "invalid literal for int() with base 10: " + Repr(part));
    }
    key = *index;
  }
  if (!value.is_scalar()) {
    RIDGELINE_TRY(Node * existing, GetNode(container, key));
    if (existing != nullptr && existing->is_container()) {
      return MergeValue(workspace, *existing, value);
    }
  }
  return SetItem(workspace, container, key, &value, Access::kAttribute);
}

}  // namespace

Result<Node*> SelectOne(const Node& container, std::string_view part,
                        const SelectOptions& options) {
  if (container.IsNone()) return nullptr;
  Node* found = nullptr;
  if (container.is_dict()) {
    found = FindNode(container, std::string(part));
  } else {
    const std::optional<Integer> index = ParsePythonInt(part);
    if (!index) {
      return Error(ErrorKind::kType,
                   "Index '" + std::string(part) + "' (str) is not an int");
    }
    found = FindNode(container, *index);
  }
  if (found != nullptr && found->IsMissing() && options.fail_on_missing) {
    return Error(ErrorKind::kMissingMandatoryValue,
                 "Missing mandatory value: " +
                     FullKey(container, KeyFor(container, std::string(part))));
  }
  return found;
}

Result<Selected> SelectFrom(Workspace& workspace, Node& root, std::string_view key,
                            const SelectOptions& options) {
  if (key.empty()) return Selected{&root, &root};
  const std::vector<std::string> parts = SplitKey(key);
  RIDGELINE_TRY(Node * parent, WalkToParent(workspace, root, key, parts, options));
  if (parent == nullptr) return Selected{};
  RIDGELINE_TRY(Node * node, SelectOne(*parent, parts.back(), options));
  if (node == nullptr || !node->IsInterpolation()) return Selected{parent, node};

  Visiting none;
  Visiting& visiting = options.visiting != nullptr ? *options.visiting : none;
  const bool tracked = options.visiting != nullptr;
  if (tracked) {
    if (std::find(visiting.begin(), visiting.end(), node) != visiting.end()) {
      return Error(ErrorKind::kInterpolationResolution,
                   "Recursive interpolation detected");
    }
    visiting.push_back(node);
  }
  Result<Node*> target = Dereference(workspace, *node, &visiting);
  if (tracked) visiting.pop_back();
  if (!target.ok()) return std::move(target).error();
  return Selected{parent, target.value()};
}

Result<KeyBase> ResolveBase(Node& container, std::string_view key) {
  const std::string_view original = key;
  if (!key.starts_with('.')) return KeyBase{&container.Root(), key};
  Node* root = &container;
  while (true) {
    key.remove_prefix(1);
    if (!key.starts_with('.')) return KeyBase{root, key};
    root = root->parent;
    if (root == nullptr) {
      return Error(ErrorKind::kConfigKey,
                   "Error resolving key '" + std::string(original) + "'");
    }
  }
}

Result<Node*> Select(Workspace& workspace, Node& root, std::string_view key) {
  const std::string relative =
      key.starts_with('.') ? std::string(key) : "." + std::string(key);
  Result<Node*> found = [&]() -> Result<Node*> {
    RIDGELINE_TRY(const KeyBase base, ResolveBase(root, relative));
    RIDGELINE_TRY(const Selected selected,
                  SelectFrom(workspace, *base.root, base.key, {}));
    return selected.node;
  }();
  if (!found.ok()) {
    if (found.error().kind == ErrorKind::kConfigType) return nullptr;
    return Locate(std::move(found).error(), &root, std::string(key));
  }
  if (found.value() != nullptr && found.value()->IsMissing()) return nullptr;
  return found;
}

Result<Node*> ReadItem(Workspace& workspace, Node& container, const Scalar& key,
                       Access access) {
  Result<Node*> read = [&]() -> Result<Node*> {
    RIDGELINE_TRY(Node * child, GetNode(container, key));
    if (child == nullptr) {
      return Error(ErrorKind::kConfigKey, "Missing key " + Str(Value(key)));
    }
    if (child->IsMissing()) {
      return Error(ErrorKind::kMissingMandatoryValue,
                   "Missing mandatory value: $FULL_KEY");
    }
    Visiting visiting;
    return Dereference(workspace, *child, &visiting);
  }();
  if (read.ok()) return read;
  Error error = Locate(std::move(read).error(), &container, key);
  if (access == Access::kItem && error.kind == ErrorKind::kConfigAttribute) {
    error.kind = ErrorKind::kConfigKey;
  } else if (access == Access::kAttribute && error.kind == ErrorKind::kConfigKey) {
    error.kind = ErrorKind::kConfigAttribute;
  }
  return error;
}

Status Update(Workspace& workspace, Node& root, std::string_view key, const Value& value,
              AddKeys add_keys) {
  const std::vector<std::string> parts = SplitKey(key);
  if (parts.size() > kMaxLevels) {
    return Error(ErrorKind::kLimit, "a key has more than " + std::to_string(kMaxLevels) +
                                        " parts: " + parts[0] + "." + parts[1] + "...");
  }
  Node* container = &root;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    RIDGELINE_TRY(container, StepInto(workspace, *container, parts[i], add_keys));
  }
  StructFlagGuard guard(*container, add_keys == AddKeys::kForce
                                        ? std::optional<bool>(false)
                                        : container->struct_flag);
  return UpdateLast(workspace, *container, parts.back(), value);
}

}  // namespace ridgeline::config
