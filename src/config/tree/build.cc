#include "config/tree/build.h"

#include <utility>

#include "config/tree/interpolation_parser.h"
#include "config/tree/locate.h"
#include "config/tree/scalar_types.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

using Kind = TypeHint::Kind;

bool IsSpecialText(const Value& value) {
  return value.is_string() &&
         (value.string() == kMissing || HoldsInterpolation(value.string()));
}

Node& NewNodeAt(Workspace& workspace, Node::Shape shape, const Value& value,
                const Place& place) {
  Node& node = workspace.NewNode(shape);
  node.parent = place.parent;
  node.key = place.key;
  node.hint = place.hint;
  node.origin = {workspace.source, value.line, value.column};
  return node;
}

Node::Shape ShapeFor(const Value& value, const TypeHint& hint) {
  if (hint.kind == Kind::kDict || hint.kind == Kind::kStruct) return Node::Shape::kDict;
  if (hint.kind == Kind::kList) return Node::Shape::kList;
  if (hint.kind != Kind::kAny || value.is_scalar()) return Node::Shape::kScalar;
  return value.is_dict() ? Node::Shape::kDict : Node::Shape::kList;
}

void StoreSpecial(Node& node, const Value& value) {
  node.special = true;
  node.value = value;
  node.children.clear();
  node.items.clear();
  node.structure = nullptr;
}

// Rejects null where it is not allowed, and values of the wrong shape.
Status CheckContainerValue(const Node& node, const Value& value) {
  if (value.is_null()) {
    if (node.hint->optional) return Ok();
    if (node.is_list()) {
      return Error(ErrorKind::kValidation,
                   "Non optional ListConfig cannot be constructed from None");
    }
    return Locate(Error(ErrorKind::kValidation, "field '$FULL_KEY' is not Optional"),
                  &node, std::nullopt);
  }
  if (IsSpecialText(value)) return CheckStoredText(value.string());
  if (node.is_list()) {
    if (value.is_list()) return Ok();
    return Error(ErrorKind::kValidation, "Invalid value assigned: " + TypeName(value) +
                                             " is not a ListConfig, list or tuple.");
  }
  if (value.is_dict()) return Ok();
  if (node.hint->kind == Kind::kDict && value.is_scalar()) {
    return Error(ErrorKind::kValidation,
                 "Cannot assign " + TypeName(value) + " to " + node.hint->BareName());
  }
  if (node.hint->kind == Kind::kAny) {
    return Error(ErrorKind::kValidation, "Unsupported value type: " + Str(value));
  }
  return Error(ErrorKind::kValidation,
               "Invalid type assigned: " + TypeName(value) + " is not a subclass of " +
                   node.hint->BareName() + ". value: " + Str(value));
}

Status FillDict(Workspace& workspace, Node& node, const Dict& dict) {
  for (const auto& [key, value] : dict) {
    Status key_ok = CheckKey(node, key);
    if (!key_ok.ok()) {
      return Locate(std::move(key_ok).error(), &node, key, Show(value));
    }
    Result<Node*> child = MakeNode(workspace, value, {&node, key, &ElementHint(node)});
    if (!child.ok()) return Locate(std::move(child).error(), &node, key, Show(value));
    node.children.Set(key, child.value());
  }
  return Ok();
}

Status FillList(Workspace& workspace, Node& node, const List& list) {
  for (const Value& value : list) {
    const Scalar key = Integer(static_cast<int64_t>(node.items.size()));
    Result<Node*> item = MakeNode(workspace, value, {&node, key, &ElementHint(node)});
    if (!item.ok()) return Locate(std::move(item).error(), &node, key, Show(value));
    node.items.push_back(item.value());
  }
  return Ok();
}

Value InitialValue(const Field& field) {
  switch (field.initial) {
    case Field::Default::kMissing:
      return Value(kMissing);
    case Field::Default::kNull:
      return Value();
    case Field::Default::kEmpty:
      return field.hint->kind == Kind::kList ? Value(List()) : Value(Dict());
    case Field::Default::kText:
      return Value(field.text);
    case Field::Default::kFalse:
      return Value(false);
    case Field::Default::kNested:
      break;  // Built by MakeStruct.
  }
  return Value();
}

}  // namespace

const TypeHint& ElementHint(const Node& container) {
  return container.hint->element != nullptr ? *container.hint->element : kAny;
}

Status CheckKey(const Node& dict, const Scalar& key) {
  if (dict.hint->kind == Kind::kDict && !std::holds_alternative<std::string>(key)) {
    return Error(ErrorKind::kKeyValidation,
                 "Key $KEY ($KEY_TYPE) is incompatible with (str)");
  }
  if (std::holds_alternative<Null>(key) || std::holds_alternative<Opaque>(key)) {
    return Error(ErrorKind::kKeyValidation, "Incompatible key type '$KEY_TYPE'");
  }
  return Ok();
}

Status StoreScalar(const Workspace& workspace, Node& node, const Value& value) {
  if (IsSpecialText(value)) {
    RIDGELINE_RETURN_IF_ERROR(CheckStoredText(value.string()));
    node.value = value;
  } else {
    RIDGELINE_TRY(node.value, ConvertScalar(*node.hint, value));
  }
  node.origin = {workspace.source, value.line, value.column};
  return Ok();
}

Status StoreContainer(Workspace& workspace, Node& node, const Value& value) {
  RIDGELINE_RETURN_IF_ERROR(CheckContainerValue(node, value));
  if (value.is_scalar()) {
    StoreSpecial(node, value);
    return Ok();
  }
  Node before = node;
  node.special = false;
  node.value = Value();
  node.children.clear();
  node.items.clear();
  node.structure = nullptr;
  Status filled = value.is_dict() ? FillDict(workspace, node, value.dict())
                                  : FillList(workspace, node, value.list());
  if (!filled.ok()) node = std::move(before);
  return filled;
}

Result<Node*> MakeNode(Workspace& workspace, const Value& value, const Place& place) {
  Node& node = NewNodeAt(workspace, ShapeFor(value, *place.hint), value, place);
  Status stored = node.is_scalar() ? StoreScalar(workspace, node, value)
                                   : StoreContainer(workspace, node, value);
  if (!stored.ok()) {
    Error error = std::move(stored).error();
    if (!error.origin.known()) error.origin = node.origin;
    return error;
  }
  return &node;
}

Result<Node*> CreateRoot(Workspace& workspace, const Value& value,
                         std::shared_ptr<const std::string> source) {
  if (value.is_scalar() && !value.is_null()) {
    return Locate(Error(ErrorKind::kValidation,
                        "Object of unsupported type: '" + TypeName(value) + "'"),
                  nullptr, std::nullopt);
  }
  const auto previous = std::exchange(workspace.source, std::move(source));
  Node& root = NewNodeAt(
      workspace, value.is_list() ? Node::Shape::kList : Node::Shape::kDict, value, {});
  Status stored = StoreContainer(workspace, root, value);
  workspace.source = previous;
  if (!stored.ok()) return Locate(std::move(stored).error(), nullptr, std::nullopt);
  return &root;
}

Node& MakeStruct(Workspace& workspace, const StructType& type, const Place& place) {
  Node& node = NewNodeAt(workspace, Node::Shape::kDict, Value(), place);
  node.structure = &type;
  for (const Field& field : type.fields) {
    const Place field_place = {&node, std::string(field.name), field.hint};
    Node* child = nullptr;
    if (field.initial == Field::Default::kNested) {
      child = &MakeStruct(workspace, *field.hint->structure, field_place);
    } else {
      // The initial values are our own and match their types.
      child = MakeNode(workspace, InitialValue(field), field_place).value();
    }
    node.children.Set(field_place.key, child);
  }
  return node;
}

}  // namespace ridgeline::config
