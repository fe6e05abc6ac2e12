#pragma once

#include <string>
#include <string_view>

namespace ridgeline::python {

// Why Python's `re` would reject a regular expression; empty: no problem found. Detects
// unclosed groups and classes, and repetitions of nothing; the rest of the dialect is
// left to Python, and the agent reports errors (InvalidExpression).
std::string ExpressionProblem(std::string_view text);

}  // namespace ridgeline::python
