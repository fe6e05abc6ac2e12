#pragma once

#include <string>
#include <string_view>

namespace ridgeline::python {

// Why Python's `re` refuses a regular expression; empty: nothing that can be seen from
// here. Finds what is left open, and what has nothing to repeat; the rest of the dialect
// is Python's own, and the agent reports what it refuses (InvalidExpression).
std::string ExpressionProblem(std::string_view text);

}  // namespace ridgeline::python
