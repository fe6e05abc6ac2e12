#include "config/tree/to_value.h"

#include <string>
#include <utility>

#include "config/tree/assign.h"
#include "config/tree/build.h"
#include "config/tree/evaluate.h"
#include "config/tree/locate.h"

namespace ridgeline::config {
namespace {

// Counts the nesting depth of containers, including nesting through interpolations.
class LevelGuard {
 public:
  explicit LevelGuard(Workspace& workspace) : workspace_(workspace) {
    ++workspace_.container_depth;
  }
  ~LevelGuard() { --workspace_.container_depth; }
  LevelGuard(const LevelGuard&) = delete;
  LevelGuard& operator=(const LevelGuard&) = delete;

  Status Check() const {
    if (workspace_.container_depth <= kMaxLevels) return Ok();
    return Error(ErrorKind::kLimit,
                 "the interpolations of this configuration lead back into "
                 "each other: more than " +
                     std::to_string(kMaxLevels) + " levels");
  }

 private:
  Workspace& workspace_;
};

Status ResolveChild(Workspace& workspace, Node& container, const Scalar& key) {
  Node& node = *FindNode(container, key);
  if (!node.IsInterpolation()) return ResolveInPlace(workspace, node);
  Result<Node*> resolved = Dereference(workspace, node);
  if (!resolved.ok()) {
    if (resolved.error().kind != ErrorKind::kInterpolationToMissingValue) {
      return std::move(resolved).error();
    }
    const Value missing(kMissing);
    return StoreInput(workspace, node, &missing);
  }
  Node& target = *resolved.value();
  if (target.is_container()) {
    RIDGELINE_RETURN_IF_ERROR(ResolveInPlace(workspace, target));
    if (node.is_scalar()) return SetItem(workspace, container, key, &target);
    return StoreInput(workspace, node, &target);
  }
  const Value value = target.value;
  if (!workspace.Spend(Weight(value))) return MultipliesWithoutEnd();
  Origin origin = node.origin;
  RIDGELINE_RETURN_IF_ERROR(StoreInput(workspace, node, &value));
  node.origin = std::move(origin);
  return Ok();
}

Result<Value> ResolvedChild(Workspace& workspace, Node& container, const Scalar& key) {
  Node* child = FindNode(container, key);
  Visiting visiting;
  Result<Node*> meant = Dereference(workspace, *child, &visiting);
  if (!meant.ok()) return Locate(std::move(meant).error(), &container, key);
  return ToResolvedValue(workspace, *meant.value());
}

}  // namespace

Value ToValue(const Node& node) {
  if (node.is_scalar() || node.special) return node.value;
  if (node.is_list()) {
    List list;
    list.reserve(node.items.size());
    for (const Node* item : node.items) list.push_back(ToValue(*item));
    return list;
  }
  Dict dict;
  for (const auto& [key, child] : node.children) dict.Set(key, ToValue(*child));
  return dict;
}

Result<Value> ToResolvedValue(Workspace& workspace, Node& node) {
  const LevelGuard level(workspace);
  RIDGELINE_RETURN_IF_ERROR(level.Check());
  if (node.is_scalar() || node.special) {
    if (!node.IsInterpolation()) {
      if (!workspace.Spend(Weight(node.value))) return MultipliesWithoutEnd();
      return node.value;
    }
    RIDGELINE_TRY(Node * meant, Dereference(workspace, node));
    return ToResolvedValue(workspace, *meant);
  }
  if (node.is_list()) {
    List list;
    for (size_t i = 0; i < node.items.size(); ++i) {
      RIDGELINE_TRY(Value value,
                    ResolvedChild(workspace, node, Integer(static_cast<int64_t>(i))));
      list.push_back(std::move(value));
    }
    return Value(std::move(list));
  }
  Dict dict;
  for (const auto& [key, child] : node.children) {
    RIDGELINE_TRY(Value value, ResolvedChild(workspace, node, key));
    dict.Set(key, std::move(value));
  }
  return Value(std::move(dict));
}

Status ResolveInPlace(Workspace& workspace, Node& node) {
  if (node.IsInterpolation()) {
    Result<Node*> resolved = Dereference(workspace, node);
    if (!resolved.ok()) {
      if (resolved.error().kind != ErrorKind::kInterpolationToMissingValue) {
        return std::move(resolved).error();
      }
      const Value missing(kMissing);
      RIDGELINE_RETURN_IF_ERROR(StoreInput(workspace, node, &missing));
    } else {
      RIDGELINE_RETURN_IF_ERROR(StoreInput(workspace, node, resolved.value()));
    }
  }
  if (node.special || node.is_scalar()) return Ok();
  const LevelGuard level(workspace);
  RIDGELINE_RETURN_IF_ERROR(level.Check());
  if (!workspace.Spend(1) || !workspace.HasRoom()) return MultipliesWithoutEnd();
  std::vector<Scalar> keys;
  for (const auto& [key, child] : node.children) keys.push_back(key);
  for (size_t i = 0; i < node.items.size(); ++i) {
    keys.emplace_back(Integer(static_cast<int64_t>(i)));
  }
  for (const Scalar& key : keys) {
    RIDGELINE_RETURN_IF_ERROR(ResolveChild(workspace, node, key));
  }
  return Ok();
}

}  // namespace ridgeline::config
