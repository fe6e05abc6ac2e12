// Reading, setting and deleting the children of a container, under OmegaConf's
// rules: struct mode, typed fields, null only where it is allowed.
#pragma once

#include <variant>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// What is put into a container: plain data, or a node (copied, unless the
// workspace shares nodes).
using Input = std::variant<const Value*, Node*>;

// Python distinguishes cfg["a"] from cfg.a by the class of the error.
enum class Access { kItem, kAttribute };

// The child at `key`, null if there is none. In struct mode a key that does not
// exist is an error; a list index out of range always is.
Result<Node*> GetNode(const Node& container, const Scalar& key);

// The same without any rule.
Node* FindNode(const Node& container, const Scalar& key);

Status SetItem(Workspace& workspace, Node& container, const Scalar& key, Input input,
               Access access = Access::kItem);
Status AppendItem(Workspace& workspace, Node& list, Input input);

// Removes a key. `key` must be a string for dicts; lists refuse.
Status DeleteItem(Node& container, const Scalar& key);

// Makes `node` and what is below it follow a type hint it did not have before.
Status ApplyHint(Workspace& workspace, Node& node, const TypeHint& hint);

// Replaces the content of an existing node, keeping its place and type.
Status StoreInput(Workspace& workspace, Node& target, Input input);

// Sets the struct flag of one node and puts it back afterwards.
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
