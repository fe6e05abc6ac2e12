#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "config/overrides/override_lexer.h"
#include "config/overrides/parsed_value.h"

namespace ridgeline::config {

// The text of a quoted `token`, without its quotes: a backslash is special only before a
// quote.
QuotedString UnquoteToken(std::string_view token);

// The value of adjacent unquoted tokens: a single token may be a number, bool or null;
// several form a string. Surrounding spaces are dropped. If there is no such value, the
// error is Python's message.
ridgeline::Result<Scalar, std::string> MakePrimitive(std::string_view line,
                                                     std::span<const Token> tokens);

}  // namespace ridgeline::config
