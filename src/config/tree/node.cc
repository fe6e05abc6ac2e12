#include "config/tree/node.h"

#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

bool IsKey(const Scalar& key) {
  return !std::holds_alternative<Null>(key) && !std::holds_alternative<Opaque>(key);
}

// Prepends `key` to a path that begins at `current`, a child of `parent`.
std::string Prepend(const std::string& path, const Node* parent, const Node* current,
                    const Scalar& key) {
  std::string text = Str(Value(key));
  if (parent != nullptr && parent->is_list()) {
    if (path.empty()) return "[" + text + "]";
    return current->is_list() ? "[" + text + "]" + path : "[" + text + "]." + path;
  }
  if (path.empty()) return text;
  return current->is_list() ? text + path : text + "." + path;
}

// The child whose key, as text, equals `key`; null if there is none.
const Node* ChildByText(const Node& node, const Scalar& key) {
  if (node.special) return nullptr;
  const std::string text = Str(Value(key));
  if (node.is_dict()) {
    Node* const* child = node.children.Find(text);
    return child == nullptr ? nullptr : *child;
  }
  const std::optional<Integer> index = ParsePythonInt(text);
  if (!index || !index->fits_int64() || index->IsNegative()) return nullptr;
  const auto position = static_cast<size_t>(index->AsInt64());
  return position < node.items.size() ? node.items[position] : nullptr;
}

}  // namespace

bool Node::IsMissing() const {
  return HasPlainValue() && value.is_string() && value.string() == kMissing;
}

bool Node::IsInterpolation() const {
  return !computed && HasPlainValue() && value.is_string() &&
         value.string().find("${") != std::string::npos;
}

size_t Node::size() const {
  if (special) return 0;
  return is_dict() ? children.size() : items.size();
}

bool Node::IsStruct() const {
  for (const Node* node = this; node != nullptr; node = node->parent) {
    if (node->struct_flag) return *node->struct_flag;
  }
  return false;
}

const Node& Node::Root() const {
  const Node* node = this;
  while (node->parent != nullptr) node = node->parent;
  return *node;
}

std::string FullKey(const Node& node, const std::optional<Scalar>& key) {
  if (!node.is_container()) {
    if (node.parent != nullptr) return FullKey(*node.parent, node.key);
    return IsKey(node.key) ? Str(Value(node.key)) : "";
  }
  if (key && std::holds_alternative<Opaque>(*key)) return "";

  const Node* current = &node;
  std::string path;
  if (key && IsKey(*key) && !PythonEqual(*key, Scalar(std::string()))) {
    if (const Node* child = ChildByText(node, *key)) {
      current = child;
      path = Prepend("", child->parent, child, child->key);
    } else {
      path = Prepend("", &node, nullptr, *key);
      if (IsKey(node.key)) path = Prepend(path, node.parent, &node, node.key);
    }
  } else {
    if (!IsKey(node.key)) return "";
    // OmegaConf starts with the bare key here: item 0 of the list `defaults` is named
    // "defaults0".
    path = Str(Value(node.key));
  }
  while (current->parent != nullptr) {
    current = current->parent;
    if (IsKey(current->key)) {
      path = Prepend(path, current->parent, current, current->key);
    }
  }
  return path;
}

std::string ObjectTypeName(const Node& node) {
  if (node.is_list()) return "list";
  if (node.is_scalar()) return TypeName(node.value);
  if (node.IsNone() || node.IsMissing()) return "NoneType";
  return node.structure != nullptr ? std::string(node.structure->name) : "dict";
}

std::vector<std::string> SplitKey(std::string_view key) {
  std::vector<std::string> parts;
  // The head: dots, then everything up to the next dot or bracket.
  size_t position = 0;
  while (position < key.size() && key[position] == '.') {
    parts.emplace_back();
    ++position;
  }
  const size_t head_end = std::min(key.find_first_of(".[", position), key.size());
  const std::string_view head = key.substr(position, head_end - position);
  const bool bracket_first =
      head.empty() && head_end < key.size() && key[head_end] == '[';
  if (!bracket_first) parts.emplace_back(head);

  position = head_end;
  while (position < key.size()) {
    if (key[position] == '.') {
      const size_t end = std::min(key.find_first_of(".[", position + 1), key.size());
      parts.emplace_back(key.substr(position + 1, end - position - 1));
      position = end;
    } else if (key[position] == '[') {
      const size_t end = key.find(']', position);
      if (end == std::string_view::npos) break;
      parts.emplace_back(key.substr(position + 1, end - position - 1));
      position = end + 1;
    } else {
      ++position;  // Stray text after a bracket is not part of any key.
    }
  }
  return parts;
}

}  // namespace ridgeline::config
