// Finding and changing nodes by key path ("a.b[0].c").
#pragma once

#include <string_view>

#include "config/error.h"
#include "config/tree/assign.h"
#include "config/tree/evaluate.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

struct SelectOptions {
  bool fail_on_missing = false;  // "???" on the path is an error.
  Visiting* visiting = nullptr;
};

struct Selected {
  Node* parent = nullptr;  // Null: a container on the path does not exist.
  Node* node = nullptr;    // Dereferenced; null: not there.
};

// `key` is relative to `root`; interpolations on the path are followed. Errors are not
// located.
Result<Selected> SelectFrom(Workspace& workspace, Node& root, std::string_view key,
                            const SelectOptions& options);

// Where an interpolation's key starts: at the root, or relative with leading dots (one
// dot: this container, two: its parent).
struct KeyBase {
  Node* root;
  std::string_view key;
};
Result<KeyBase> ResolveBase(Node& container, std::string_view key);

// OmegaConf.select(cfg, key): null if there is nothing there, or "???".
Result<Node*> Select(Workspace& workspace, Node& root, std::string_view key);

// The child named by one part of a key path, not dereferenced; null if none.
Result<Node*> SelectOne(const Node& container, std::string_view part,
                        const SelectOptions& options);

// cfg[key]: the value of a child with its interpolation resolved. Missing values and keys
// are located errors.
Result<Node*> ReadItem(Workspace& workspace, Node& container, const Scalar& key,
                       Access access = Access::kItem);

// OmegaConf.update(cfg, key, value, merge=True).
enum class AddKeys { kNo, kForce };
Status Update(Workspace& workspace, Node& root, std::string_view key, const Value& value,
              AddKeys add_keys);

}  // namespace ridgeline::config
