// What interpolations stand for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/error.h"
#include "config/tree/interpolation_ast.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// Nodes that are being resolved right now: meeting one again is a cycle.
using Visiting = std::vector<const Node*>;

// The node that `node` stands for: itself unless it is an interpolation, else
// the node it points to or a fresh one with the computed value. Errors are not
// located.
Result<Node*> Dereference(Workspace& workspace, Node& node, Visiting* visiting = nullptr);

// The same; null when the interpolation cannot be resolved. A text that does
// not parse is an error all the same.
Result<Node*> TryDereference(Workspace& workspace, Node& node);

// The value of one grammar element, such as oc.decode gets from a string.
Result<Resolved> EvaluateElement(Workspace& workspace, const Element& element,
                                 Node& parent, Node& node, Visiting* visiting);

// How much a value counts for Workspace::Spend(): one for each scalar and each
// container, and more for long text.
size_t Weight(const Value& value);

// The error for a workspace that has nothing left to spend.
Error MultipliesWithoutEnd();

// A resolved value as text inside a string, as Python's str() prints it.
std::string StrOf(const Resolved& resolved);

// A scalar node as its value; a special container as null, "???" or its text;
// everything else as it is.
Resolved Unwrapped(Resolved resolved);

}  // namespace ridgeline::config
