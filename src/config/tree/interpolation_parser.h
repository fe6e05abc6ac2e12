#pragma once

#include <string_view>

#include "config/error.h"
#include "config/tree/interpolation_ast.h"

namespace ridgeline::config {

// Whether the text has to be parsed at all: it contains "${" (escaped ones count).
bool HoldsInterpolation(std::string_view text);

// The value of a configuration node. Errors are kGrammarParse, not located.
Result<Text> ParseText(std::string_view text);

// One element as oc.decode reads it from a string: 10, [a,b], {x: ${y}}.
Result<Element> ParseElement(std::string_view text);

// OmegaConf's check when a string is stored: common forms pass a cheap test, everything
// else is parsed. The cheap test accepts a few strings that do not parse ("${:x}", a line
// break before "}"); these fail only when they are read.
Status CheckStoredText(std::string_view text);

}  // namespace ridgeline::config
