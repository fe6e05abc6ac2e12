#include "config/tree/assign.h"

#include <utility>

#include "config/tree/build.h"
#include "config/tree/interpolation_parser.h"
#include "config/tree/locate.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

using Kind = TypeHint::Kind;

Node* AsNode(const Input& input) {
  Node* const* node = std::get_if<Node*>(&input);
  return node == nullptr ? nullptr : *node;
}

Shown ShowInput(const Input& input) {
  if (const Node* node = AsNode(input)) return Show(*node);
  return Show(*std::get<const Value*>(input));
}

bool IsNone(const Input& input) {
  if (const Node* node = AsNode(input)) return node->IsNone();
  return std::get<const Value*>(input)->is_null();
}

bool IsText(const Input& input, bool (*matches)(const std::string&)) {
  const Node* node = AsNode(input);
  if (node != nullptr && (node->computed || (node->is_container() && !node->special))) {
    return false;
  }
  const Value& value = node != nullptr ? node->value : *std::get<const Value*>(input);
  return value.is_string() && matches(value.string());
}
bool IsMissing(const Input& input) {
  return IsText(input, [](const std::string& text) { return text == kMissing; });
}
bool IsInterpolation(const Input& input) {
  return IsText(input, [](const std::string& text) { return HoldsInterpolation(text); });
}
bool IsSpecial(const Input& input) {
  return IsNone(input) || IsMissing(input) || IsInterpolation(input);
}

// The Python type name of the assigned value, and whether it is a plain dict or list.
std::string InputType(const Input& input) {
  if (const Node* node = AsNode(input)) return ObjectTypeName(*node);
  return TypeName(*std::get<const Value*>(input));
}
bool IsPlainContainerType(const std::string& type) {
  return type == "dict" || type == "list";
}

bool IsPlainPrimitive(const Input& input) {
  return AsNode(input) == nullptr && std::get<const Value*>(input)->is_scalar();
}

bool IsPrimitive(const TypeHint& hint) {
  return hint.kind == Kind::kString || hint.kind == Kind::kInteger ||
         hint.kind == Kind::kBool || hint.kind == Kind::kEnum;
}
bool IsContainer(const TypeHint& hint) {
  return hint.kind == Kind::kDict || hint.kind == Kind::kList ||
         hint.kind == Kind::kStruct;
}

Status CheckNullAllowed(const Node& dict, const Scalar& key) {
  RIDGELINE_TRY(const Node* child, GetNode(dict, key));
  const bool optional =
      child != nullptr ? child->hint->optional : ElementHint(dict).optional;
  if (optional) return Ok();
  return Locate(Error(ErrorKind::kValidation, "field '$FULL_KEY' is not Optional"), &dict,
                key);
}

Status CheckDictAssignment(const Node& dict, const Scalar& key, const Input& input) {
  if (IsInterpolation(input)) return Ok();
  if (IsNone(input)) return CheckNullAllowed(dict, key);
  if (IsMissing(input)) return Ok();
  RIDGELINE_TRY(const Node* target, GetNode(dict, key));
  if (target == nullptr || !target->is_dict() || target->hint->kind == Kind::kAny) {
    return Ok();
  }
  const std::string type = InputType(input);
  const TypeHint& hint = *target->hint;
  if (hint.kind == Kind::kDict) {
    if (type == "dict") return Ok();
    if (!IsPlainContainerType(type)) {
      return Error(ErrorKind::kValidation,
                   "Cannot assign " + type + " to " + hint.BareName());
    }
  } else if (type == hint.structure->name) {
    return Ok();
  }
  return Error(ErrorKind::kValidation, "Invalid type assigned: " + type +
                                           " is not a subclass of " + hint.BareName() +
                                           ". value: " + ShowInput(input).text);
}

Status CheckListAssignment(const Node& list, const Scalar& key, const Input& input) {
  const Integer* index = std::get_if<Integer>(&key);
  if (index == nullptr) {
    return Error(ErrorKind::kKeyValidation,
                 "ListConfig indices must be integers or slices, not $KEY_TYPE");
  }
  const bool plain_null = AsNode(input) == nullptr && IsNone(input);
  const Node* target = FindNode(list, key);
  if (target != nullptr && plain_null && !target->hint->optional) {
    return Error(ErrorKind::kValidation,
                 "$FULL_KEY is not optional and cannot be assigned None");
  }
  if (IsMissing(input)) return Ok();
  const TypeHint& hint = ElementHint(list);
  const std::string type = plain_null ? "NoneType" : InputType(input);
  const bool wrong_record = hint.kind == Kind::kStruct && !plain_null &&
                            !IsInterpolation(input) && type != hint.structure->name &&
                            AsNode(input) != nullptr;
  if ((plain_null && !hint.optional) || wrong_record) {
    return Error(ErrorKind::kValidation, "Invalid type assigned: " + type +
                                             " is not a subclass of " + hint.BareName() +
                                             ". value: " + ShowInput(input).text);
  }
  return Ok();
}

void PutChild(Node& container, const Scalar& key, Node& child) {
  if (container.is_dict()) {
    container.children.Set(key, &child);
    return;
  }
  const auto index = static_cast<size_t>(std::get<Integer>(key).AsInt64());
  if (index == container.items.size()) {
    container.items.push_back(&child);
  } else {
    container.items[index] = &child;
  }
}

Status Adopt(Workspace& workspace, Node& container, const Scalar& key, Node& child) {
  child.parent = &container;
  child.key = key;
  const TypeHint& hint = ElementHint(container);
  if (hint.kind != Kind::kAny) {
    RIDGELINE_RETURN_IF_ERROR(ApplyHint(workspace, child, hint));
  }
  PutChild(container, key, child);
  return Ok();
}

Status WrapAndPut(Workspace& workspace, Node& container, const Scalar& key,
                  const Value& value, const TypeHint& hint) {
  Result<Node*> wrapped = MakeNode(workspace, value, {&container, key, &hint});
  if (!wrapped.ok()) {
    return Locate(std::move(wrapped).error(), &container, key, Show(value));
  }
  PutChild(container, key, *wrapped.value());
  return Ok();
}

// A node stored in a container is moved from its old place, or copied.
Node& Detach(Workspace& workspace, Node& container, Node& node) {
  const bool copy = !workspace.share_nodes ||
                    (node.is_container() && &container.Root() == &node.Root());
  Node& detached = copy ? workspace.DeepCopy(node) : node;
  detached.parent = nullptr;
  return detached;
}

Status Put(Workspace& workspace, Node& container, const Scalar& key, const Input& input,
           Node* target) {
  Node* node = AsNode(input);
  if (node != nullptr && node->is_typed_scalar()) {
    return Adopt(workspace, container, key, *node);
  }
  const bool into_target =
      target != nullptr && (target->hint->kind != Kind::kAny ||
                            (target->is_scalar() && IsPlainPrimitive(input)));
  if (into_target) return StoreInput(workspace, *target, input);
  const TypeHint& hint = ElementHint(container);
  if (node == nullptr) {
    return WrapAndPut(workspace, container, key, *std::get<const Value*>(input), hint);
  }
  if (IsPrimitive(hint) && node->is_container() && !node->special) {
    // OmegaConf accepts a whole container in a Dict[str, str] here.
    node->parent = &container;
    node->key = key;
    PutChild(container, key, *node);
    return Ok();
  }
  if ((IsSpecial(input) && IsContainer(hint)) || IsPrimitive(hint)) {
    return WrapAndPut(workspace, container, key, ToValue(*node), hint);
  }
  return Adopt(workspace, container, key, *node);
}

Status SetItemRaw(Workspace& workspace, Node& container, const Scalar& key, Input input) {
  if (container.is_dict()) RIDGELINE_RETURN_IF_ERROR(CheckKey(container, key));
  if (Node* node = AsNode(input)) input = &Detach(workspace, container, *node);
  RIDGELINE_RETURN_IF_ERROR(container.is_dict()
                                ? CheckDictAssignment(container, key, input)
                                : CheckListAssignment(container, key, input));
  RIDGELINE_TRY(Node * target, GetNode(container, key));
  return Put(workspace, container, key, input, target);
}

}  // namespace

Node* FindNode(const Node& container, const Scalar& key) {
  if (container.special) return nullptr;
  if (container.is_dict()) {
    Node* const* child = container.children.Find(key);
    return child == nullptr ? nullptr : *child;
  }
  const Integer* index = std::get_if<Integer>(&key);
  if (index == nullptr || !index->fits_int64() || index->IsNegative()) return nullptr;
  const auto position = static_cast<size_t>(index->AsInt64());
  return position < container.items.size() ? container.items[position] : nullptr;
}

Result<Node*> GetNode(const Node& container, const Scalar& key) {
  Node* found = FindNode(container, key);
  if (found != nullptr) return found;
  if (container.is_list()) {
    Error error(ErrorKind::kConfigIndex, "list index out of range");
    if (container.IsNone()) {
      error = Error(ErrorKind::kType,
                    "Cannot get_node from a ListConfig object representing None");
    } else if (container.IsMissing()) {
      error = Error(ErrorKind::kMissingMandatoryValue,
                    "Cannot get_node from a missing ListConfig");
    }
    return Locate(std::move(error), &container, key);
  }
  if (container.IsNone()) {
    return Error(ErrorKind::kAttribute, "'NoneType' object has no attribute 'get'");
  }
  const bool typed = container.structure != nullptr;
  if (typed && container.struct_flag == false) return nullptr;
  if (!typed && !container.IsStruct()) return nullptr;
  const std::string name = Str(Value(key));
  const std::string text =
      typed ? "Key '" + name + "' not in '" + std::string(container.structure->name) + "'"
            : "Key '" + name + "' is not in struct";
  return Locate(Error(ErrorKind::kConfigAttribute, text), &container, key);
}

Status StoreInput(Workspace& workspace, Node& target, Input input) {
  Node* node = AsNode(input);
  if (target.is_scalar()) {
    return StoreScalar(workspace, target,
                       node != nullptr ? ToValue(*node) : *std::get<const Value*>(input));
  }
  if (node == nullptr) {
    return StoreContainer(workspace, target, *std::get<const Value*>(input));
  }
  if (IsSpecial(input)) return StoreContainer(workspace, target, node->value);
  if (target.is_list() && !node->is_list()) {
    return Error(ErrorKind::kValidation,
                 std::string("Invalid value assigned: ") +
                     (node->is_dict() ? "DictConfig" : "AnyNode") +
                     " is not a ListConfig, list or tuple.");
  }
  Node before = target;
  target.special = false;
  target.value = Value();
  target.children.clear();
  target.items.clear();
  Status stored = Ok();
  {
    StructFlagGuard open(target, false);
    for (const auto& [key, child] : node->children) {
      if (stored.ok()) stored = SetItem(workspace, target, key, child);
    }
    for (Node* item : node->items) {
      if (stored.ok()) stored = AppendItem(workspace, target, item);
    }
  }
  if (!stored.ok()) {
    target = std::move(before);
    return stored;
  }
  target.structure = node->structure;
  return Ok();
}

Status SetItem(Workspace& workspace, Node& container, const Scalar& key, Input input,
               Access access) {
  Status set = SetItemRaw(workspace, container, key, input);
  if (set.ok()) return set;
  Error error = Locate(std::move(set).error(), &container, key, ShowInput(input));
  if (access == Access::kItem && error.kind == ErrorKind::kConfigAttribute) {
    error.kind = ErrorKind::kConfigKey;
  }
  return error;
}

Status AppendItem(Workspace& workspace, Node& list, Input input) {
  const Scalar key = Integer(static_cast<int64_t>(list.items.size()));
  if (Node* node = AsNode(input)) input = &Detach(workspace, list, *node);
  Status appended = CheckListAssignment(list, key, input);
  if (appended.ok()) appended = Put(workspace, list, key, input, nullptr);
  if (appended.ok()) return appended;
  return Locate(std::move(appended).error(), &list, key, ShowInput(input));
}

Status DeleteItem(Node& container, const Scalar& key) {
  Error error(ErrorKind::kConfigKey, "Key not found: '$KEY'");
  if (container.IsStruct()) {
    error = Error(ErrorKind::kConfigType,
                  "DictConfig in struct mode does not support deletion");
  } else if (container.structure != nullptr && container.struct_flag != false) {
    error = Error(ErrorKind::kConfigType, std::string(container.structure->name) +
                                              " (DictConfig) does not support deletion");
  } else if (container.children.Erase(key)) {
    return Ok();
  }
  return Locate(std::move(error), &container, key);
}

}  // namespace ridgeline::config
