// One node of a configuration tree, with its parent, its key and the file and line it
// came from. Values may be interpolations ("${a.b}") or still missing ("???"); see
// config/tree/evaluate.h for resolving them.
//
// Nodes live in a Workspace and are referred to by pointer; nothing here owns them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/origin.h"
#include "config/tree/type_hint.h"
#include "config/value/value.h"

namespace ridgeline::config {

inline constexpr std::string_view kMissing = "???";

struct Node {
  enum class Shape : uint8_t { kScalar, kDict, kList };

  Shape shape = Shape::kScalar;

  // A dict or list without contents: `value` is null, "???" or an interpolation for the
  // whole container.
  bool special = false;

  // The result of an interpolation that is not a node itself; may contain a plain list or
  // dict, unlike any stored node.
  bool computed = false;

  Value value;                 // Scalars and special containers.
  OrderedMap<Node*> children;  // Dicts.
  std::vector<Node*> items;    // Lists.

  Node* parent = nullptr;
  Scalar key;  // Null: none.

  const TypeHint* hint = &kAny;           // The type this node accepts.
  const StructType* structure = nullptr;  // The type stored: a record; null: plain.
  std::optional<bool> struct_flag;        // No new keys; inherited when not set.
  Origin origin;

  bool is_scalar() const { return shape == Shape::kScalar; }
  bool is_dict() const { return shape == Shape::kDict; }
  bool is_list() const { return shape == Shape::kList; }
  bool is_container() const { return shape != Shape::kScalar; }
  bool is_typed_scalar() const {
    return is_scalar() && hint->kind != TypeHint::Kind::kAny;
  }

  // These check the value as written, without resolving interpolations.
  bool IsNone() const { return HasPlainValue() && value.is_null(); }
  bool IsMissing() const;
  bool IsInterpolation() const;
  bool IsSpecial() const { return IsNone() || IsMissing() || IsInterpolation(); }

  // The number of keys or items; 0 for special containers.
  size_t size() const;

  // Whether nonexistent keys are rejected here.
  bool IsStruct() const;

  const Node& Root() const;
  Node& Root() { return const_cast<Node&>(static_cast<const Node*>(this)->Root()); }

 private:
  bool HasPlainValue() const { return is_scalar() || special; }
};

// "pipeline.ncu.sections[5]": the path of `key` in `node`, or of `node` itself without a
// key.
std::string FullKey(const Node& node, const std::optional<Scalar>& key);

// Python's type(...).__name__ of the stored object, for messages.
std::string ObjectTypeName(const Node& node);

// The parts of a key path: "a.b[c]" -> a, b, c.  "[a].b" -> a, b.
std::vector<std::string> SplitKey(std::string_view key);

}  // namespace ridgeline::config
