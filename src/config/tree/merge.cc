#include "config/tree/merge.h"

#include <utility>

#include "config/tree/assign.h"
#include "config/tree/build.h"
#include "config/tree/evaluate.h"
#include "config/tree/locate.h"
#include "config/tree/to_value.h"

namespace ridgeline::config {
namespace {

using Kind = TypeHint::Kind;

Status MergeRaw(Workspace& workspace, Node& target, Node& source);

// Turns a node that is null, missing or an interpolation into an empty container.
void Expand(Workspace& workspace, Node& node) {
  if (node.hint->kind == Kind::kStruct) {
    const Node& fresh = MakeStruct(workspace, *node.hint->structure);
    node.children = fresh.children;
    for (auto& [key, child] : node.children) child->parent = &node;
    node.structure = node.hint->structure;
  } else {
    node.children.clear();
    node.items.clear();
    node.structure = nullptr;
  }
  node.special = false;
  node.value = Value();
}

Status CheckNull(Workspace& workspace, const Node& target, Node& source) {
  if (target.hint->optional) return Ok();
  RIDGELINE_TRY(const Node* meant, TryDereference(workspace, source));
  if (meant == nullptr || !meant->IsNone()) return Ok();
  return Locate(Error(ErrorKind::kValidation, "field '$FULL_KEY' is not Optional"),
                &target, std::nullopt);
}

Status CheckMerge(Workspace& workspace, const Node& target, Node& source) {
  RIDGELINE_RETURN_IF_ERROR(CheckNull(workspace, target, source));
  if (source.IsMissing() || source.IsNone() || target.structure == nullptr) return Ok();
  if (source.is_dict() &&
      (source.structure == nullptr || source.structure == target.structure)) {
    return Ok();
  }
  const std::string type = ObjectTypeName(source);
  return Error(ErrorKind::kValidation, "Merge error: " + type + " is not a subclass of " +
                                           std::string(target.structure->name) +
                                           ". value: " + Show(source).text);
}

// OmegaConf retypes an untyped node when a typed one is merged into it.
Status UpdateTypes(Workspace& workspace, Node& node, const TypeHint& hint,
                   const StructType* structure) {
  if (structure != nullptr) node.structure = structure;
  if (node.hint->kind == Kind::kAny) return ApplyHint(workspace, node, hint);
  return Ok();
}

Status MergeScalars(Workspace& workspace, Node& dict, const Scalar& key, Node& target,
                    Node& source) {
  if (target.hint->kind == Kind::kAny) {
    if (!source.IsMissing()) return SetItem(workspace, dict, key, &source);
    // "???" keeps the existing value but takes over the type.
    Node& typed = workspace.DeepCopy(source);
    Status stored = StoreScalar(workspace, typed, target.value);
    if (!stored.ok()) {
      return Locate(std::move(stored).error(), &dict, key, Show(source));
    }
    typed.origin = target.origin;
    return SetItem(workspace, dict, key, &typed);
  }
  if (source.IsMissing()) return Ok();
  Status stored = StoreScalar(workspace, target, source.value);
  if (!stored.ok()) return Locate(std::move(stored).error(), &dict, key, Show(source));
  target.origin = source.origin;
  return Ok();
}

// Merging a dict onto an interpolation of a dict starts from a copy of the referenced
// dict.
Status CopyReferencedContainer(Workspace& workspace, Node& dict, const Scalar& key,
                               Node*& target) {
  if (target == nullptr || !target->IsInterpolation()) return Ok();
  RIDGELINE_TRY(Node * meant, TryDereference(workspace, *target));
  if (meant == nullptr || !meant->is_container()) return Ok();
  RIDGELINE_RETURN_IF_ERROR(SetItem(workspace, dict, key, meant));
  RIDGELINE_TRY(target, GetNode(dict, key));
  return Ok();
}

Status ExpandNull(Workspace& workspace, Node& target, Node& source) {
  if (!target.is_container() || !target.IsNone() || source.IsMissing()) return Ok();
  RIDGELINE_TRY(const Node* meant, Dereference(workspace, source));
  if (!meant->IsNone()) Expand(workspace, target);
  return Ok();
}

Status MergeKey(Workspace& workspace, Node& dict, const Scalar& key, Node& source) {
  Node* target = FindNode(dict, key);
  if (target != nullptr && target->is_dict()) {
    RIDGELINE_RETURN_IF_ERROR(CheckMerge(workspace, *target, source));
  }
  if (target != nullptr) {
    RIDGELINE_RETURN_IF_ERROR(ExpandNull(workspace, *target, source));
  }
  RIDGELINE_RETURN_IF_ERROR(CopyReferencedContainer(workspace, dict, key, target));
  if (target == nullptr) return SetItem(workspace, dict, key, &source);
  if (target->is_container()) {
    if (source.is_container()) return MergeRaw(workspace, *target, source);
    if (source.IsMissing()) return Ok();
    return SetItem(workspace, dict, key, &source);
  }
  if (source.is_container()) return SetItem(workspace, dict, key, &source);
  return MergeScalars(workspace, dict, key, *target, source);
}

Status MergeDicts(Workspace& workspace, Node& target, Node& source) {
  if (source.IsNone() || source.IsInterpolation()) {
    RIDGELINE_RETURN_IF_ERROR(StoreContainer(workspace, target, source.value));
    return UpdateTypes(workspace, target, *source.hint, source.structure);
  }
  RIDGELINE_RETURN_IF_ERROR(CheckMerge(workspace, target, source));
  if (target.special && !target.IsNone() && !source.IsMissing())
    Expand(workspace, target);
  // A record may add its fields to a target that accepts no new keys.
  StructFlagGuard guard(target, source.structure != nullptr ? std::optional<bool>(false)
                                                            : target.struct_flag);
  // Sharing moves nodes out of the source, so collect its keys first.
  std::vector<std::pair<Scalar, Node*>> entries(source.children.begin(),
                                                source.children.end());
  for (const auto& [key, child] : entries) {
    RIDGELINE_RETURN_IF_ERROR(MergeKey(workspace, target, key, *child));
  }
  return UpdateTypes(workspace, target, *source.hint, source.structure);
}

Status MergeLists(Workspace& workspace, Node& target, Node& source) {
  if (source.IsMissing()) return Ok();
  if (source.special) return StoreContainer(workspace, target, source.value);
  Node& fresh = workspace.NewNode(Node::Shape::kList);
  fresh.parent = target.parent;
  fresh.key = target.key;
  fresh.hint = target.hint;
  const std::vector<Node*> items = source.items;
  for (Node* item : items) {
    if (item->is_scalar() || item->IsNone()) {
      const Value value = ToValue(*item);
      RIDGELINE_RETURN_IF_ERROR(AppendItem(workspace, fresh, &value));
      fresh.items.back()->origin = item->origin;
    } else {
      RIDGELINE_RETURN_IF_ERROR(AppendItem(workspace, fresh, item));
    }
  }
  target.items = std::move(fresh.items);
  target.special = false;
  target.value = Value();
  target.origin = source.origin;
  return Ok();
}

void SetParents(Node& node) {
  for (auto& [key, child] : node.children) {
    child->parent = &node;
    SetParents(*child);
  }
  for (Node* item : node.items) {
    item->parent = &node;
    SetParents(*item);
  }
}

Status MergeRaw(Workspace& workspace, Node& target, Node& source) {
  Status merged = Ok();
  if (target.is_dict() && source.is_dict()) {
    merged = MergeDicts(workspace, target, source);
  } else if (target.is_list() && source.is_list()) {
    merged = MergeLists(workspace, target, source);
  } else {
    merged = Error(ErrorKind::kType, "Cannot merge DictConfig with ListConfig");
  }
  if (merged.ok()) SetParents(target);
  return merged;
}

}  // namespace

Status MergeNode(Workspace& workspace, Node& target, Node& source) {
  Status merged = MergeRaw(workspace, target, source);
  if (merged.ok()) return merged;
  return Locate(std::move(merged).error(), &target, std::nullopt);
}

Status MergeValue(Workspace& workspace, Node& target, const Value& source) {
  Result<Node*> root = CreateRoot(workspace, source, workspace.source);
  if (!root.ok()) return Locate(std::move(root).error(), &target, std::nullopt);
  return MergeNode(workspace, target, *root.value());
}

}  // namespace ridgeline::config
