// Plain data becomes nodes here.
#pragma once

#include <memory>
#include <string>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// Where a new node will stand. It is not put there yet (assign.h does that);
// the place is needed for messages and relative interpolation.
struct Place {
  Node* parent = nullptr;
  Scalar key;
  const TypeHint* hint = &kAny;
};

// A separate tree from a dict or list, as OmegaConf.create; `source` is what
// its nodes give as their origin.
Result<Node*> CreateRoot(Workspace& workspace, const Value& value,
                         std::shared_ptr<const std::string> source = nullptr);

Result<Node*> MakeNode(Workspace& workspace, const Value& value, const Place& place);

// A record with its initial values.
Node& MakeStruct(Workspace& workspace, const StructType& type, const Place& place = {});

// Stores plain data in an existing node of the fitting shape, checked against
// its hint. On an error the node is as before.
Status StoreScalar(const Workspace& workspace, Node& node, const Value& value);
Status StoreContainer(Workspace& workspace, Node& node, const Value& value);

// The type hint of the elements of a container.
const TypeHint& ElementHint(const Node& container);

// Why `key` cannot be a key of `dict`; OK if it can.
Status CheckKey(const Node& dict, const Scalar& key);

}  // namespace ridgeline::config
