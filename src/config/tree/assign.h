// Reading, setting and deleting the children of a container, under OmegaConf's
// rules: struct mode, typed fields, null only where it is allowed.
#pragma once

#include <variant>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// Input to a container: plain data, or a node (copied, unless the workspace shares
// nodes).
using Input = std::variant<const Value*, Node*>;

// In Python, cfg["a"] and cfg.a raise different exception classes.
enum class Access { kItem, kAttribute };

// The child at `key`, null if there is none. In struct mode a nonexistent key is an
// error; an out-of-range list index always is.
Result<Node*> GetNode(const Node& container, const Scalar& key);

// The same without any checks.
Node* FindNode(const Node& container, const Scalar& key);

Status SetItem(Workspace& workspace, Node& container, const Scalar& key, Input input,
               Access access = Access::kItem);
Status AppendItem(Workspace& workspace, Node& list, Input input);

// Removes a key. For dicts, `key` must be a string; lists do not support deletion.
Status DeleteItem(Node& container, const Scalar& key);

// Applies a new type hint to `node` and its descendants.
Status ApplyHint(Workspace& workspace, Node& node, const TypeHint& hint);

// Replaces the contents of an existing node; its place and type stay.
Status StoreInput(Workspace& workspace, Node& target, Input input);

// Sets the struct flag of one node and restores it on destruction.
class StructFlagGuard {
 public:
  StructFlagGuard(Node& node, std::optional<bool> flag)
      : node_(node), previous_(node.struct_flag) {
    node.struct_flag = flag;
  }
  ~StructFlagGuard() { node_.struct_flag = previous_; }
  StructFlagGuard(const StructFlagGuard&) = delete;
  StructFlagGuard& operator=(const StructFlagGuard&) = delete;

 private:
  Node& node_;
  std::optional<bool> previous_;
};

}  // namespace ridgeline::config
