// Evaluates interpolations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/error.h"
#include "config/tree/interpolation_ast.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// Nodes currently being resolved; meeting one again means a cycle.
using Visiting = std::vector<const Node*>;

// Resolves `node`: itself unless it is an interpolation, else the node it refers to or a
// new node with the computed value. Errors are not located.
Result<Node*> Dereference(Workspace& workspace, Node& node, Visiting* visiting = nullptr);

// The same, but null if the interpolation cannot be resolved. Text that does not parse is
// still an error.
Result<Node*> TryDereference(Workspace& workspace, Node& node);

// The value of one grammar element, e.g. of the string passed to oc.decode.
Result<Resolved> EvaluateElement(Workspace& workspace, const Element& element,
                                 Node& parent, Node& node, Visiting* visiting);

// The cost of a value for Workspace::Spend(): one per scalar and container, more for long
// text.
size_t Weight(const Value& value);

// The error when a workspace has used up its step budget.
Error MultipliesWithoutEnd();

// A resolved value as text inside a string, as Python's str() prints it.
std::string StrOf(const Resolved& resolved);

// Scalar nodes become their value, special containers null, "???" or their text; anything
// else is unchanged.
Resolved Unwrapped(Resolved resolved);

}  // namespace ridgeline::config
