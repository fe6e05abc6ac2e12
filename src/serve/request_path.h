#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::serve {

// The parts of a request's target, decoded once, without its query:
// "/runs/a%20b/report.html?x" -> "runs", "a b", "report.html"; "/" -> none.
//
// Nothing for what no page of ours asks for and what could mean another file than it
// says: parts that are empty, "." or "..", that hold a slash or a NUL, and broken
// escapes.
std::optional<std::vector<std::string>> PathParts(std::string_view target);

}  // namespace ridgeline::serve
