// Builds nodes from plain data.
#pragma once

#include <memory>
#include <string>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// The future place of a new node. The node is not inserted yet (see assign.h); the place
// is needed for messages and relative interpolations.
struct Place {
  Node* parent = nullptr;
  Scalar key;
  const TypeHint* hint = &kAny;
};

// A separate tree built from a dict or list, like OmegaConf.create; `source` becomes the
// origin of its nodes.
Result<Node*> CreateRoot(Workspace& workspace, const Value& value,
                         std::shared_ptr<const std::string> source = nullptr);

Result<Node*> MakeNode(Workspace& workspace, const Value& value, const Place& place);

// A record with its initial values.
Node& MakeStruct(Workspace& workspace, const StructType& type, const Place& place = {});

// Stores plain data in an existing node of the right shape, checked against its hint. On
// error the node is unchanged.
Status StoreScalar(const Workspace& workspace, Node& node, const Value& value);
Status StoreContainer(Workspace& workspace, Node& node, const Value& value);

// The type hint of the elements of a container.
const TypeHint& ElementHint(const Node& container);

// An error if `key` is not a valid key of `dict`.
Status CheckKey(const Node& dict, const Scalar& key);

}  // namespace ridgeline::config
