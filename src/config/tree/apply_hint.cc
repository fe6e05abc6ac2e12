// Binds existing nodes to a type, as needed when the untyped values of
// hydra/output/default.yaml meet the record that declares them.
#include <utility>

#include "config/tree/assign.h"
#include "config/tree/build.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

using Kind = TypeHint::Kind;

bool HoldsInstance(const TypeHint& hint, const Value& value) {
  switch (hint.kind) {
    case Kind::kString:
      return value.is_string();
    case Kind::kInteger:
      return value.is_int() || value.is_bool();
    case Kind::kBool:
      return value.is_bool();
    case Kind::kEnum:
      return value.is_string();
    case Kind::kAny:
    case Kind::kList:
    case Kind::kDict:
    case Kind::kStruct:
      return false;
  }
  return false;
}

Status CheckHint(const Node& node, const TypeHint& hint) {
  if (node.IsNone()) {
    if (hint.optional) return Ok();
    return Error(
        ErrorKind::kValidation,
        "Value None (NoneType) is incompatible with type hint '" + hint.BareName() + "'");
  }
  if (node.IsMissing() || node.IsInterpolation()) return Ok();
  if (node.is_dict() && (hint.kind == Kind::kDict || hint.kind == Kind::kStruct))
    return Ok();
  if (node.is_list() && hint.kind == Kind::kList) return Ok();
  if (node.is_scalar()) {
    if (HoldsInstance(hint, node.value)) return Ok();
    return Error(ErrorKind::kValidation,
                 "Value " + Repr(node.value) + " (" + TypeName(node.value) +
                     ") is incompatible with type hint '" + hint.BareName() + "'");
  }
  return Error(ErrorKind::kValidation,
               std::string(node.is_dict() ? "'DictConfig'" : "'ListConfig'") +
                   " is incompatible with type hint '" + hint.BareName() + "'");
}

// Rebuilds a special child (null, "???" or an interpolation) as a node of the kind the
// hint requires.
Status ApplyToChild(Workspace& workspace, Node& container, const Scalar& key,
                    const TypeHint& hint) {
  Node* child = FindNode(container, key);
  if (child->IsSpecial()) {
    RIDGELINE_TRY(Node * wrapped,
                  MakeNode(workspace, ToValue(*child), {&container, key, &hint}));
    wrapped->origin = child->origin;
    if (container.is_dict()) {
      container.children.Set(key, wrapped);
    } else {
      container.items[static_cast<size_t>(std::get<Integer>(key).AsInt64())] = wrapped;
    }
    child = wrapped;
  }
  return ApplyHint(workspace, *child, hint);
}

}  // namespace

Status ApplyHint(Workspace& workspace, Node& node, const TypeHint& hint) {
  if (hint.kind == Kind::kAny) return Ok();
  RIDGELINE_RETURN_IF_ERROR(CheckHint(node, hint));
  node.hint = &hint;
  if (node.special) return Ok();
  if (hint.kind == Kind::kList && node.is_list()) {
    for (size_t i = 0; i < node.items.size(); ++i) {
      RIDGELINE_RETURN_IF_ERROR(
          ApplyToChild(workspace, node, Integer(static_cast<int64_t>(i)), *hint.element));
    }
  }
  if (hint.kind == Kind::kDict && node.is_dict()) {
    std::vector<Scalar> keys;
    for (const auto& [key, child] : node.children) keys.push_back(key);
    for (const Scalar& key : keys) {
      if (!std::holds_alternative<std::string>(key)) {
        return Error(ErrorKind::kKeyValidation,
                     "Key " + Repr(Value(key)) + " (" + TypeName(Value(key)) +
                         ") is incompatible with key type hint 'str'");
      }
      RIDGELINE_RETURN_IF_ERROR(ApplyToChild(workspace, node, key, *hint.element));
    }
  }
  return Ok();
}

}  // namespace ridgeline::config
