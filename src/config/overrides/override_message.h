// Error messages for invalid overrides.
#pragma once

#include <string>
#include <string_view>

#include "config/overrides/function_call.h"
#include "config/overrides/override_lexer.h"
#include "config/overrides/override_parser.h"

namespace ridgeline::config {

// `token` is of kind kInvalid.
OverrideError LexerError(std::string_view line, const Token& token);

// `expected` is what would have been valid there: "a value", "',' or ']'".
OverrideError SyntaxError(std::string_view line, const Token& token,
                          std::string_view expected);

OverrideError DepthError(std::string_view line, const Token& token);
OverrideError SemanticError(std::string_view line, std::string_view what);
OverrideError FunctionError(std::string_view line, std::string_view call_text,
                            const Raised& raised);

}  // namespace ridgeline::config
