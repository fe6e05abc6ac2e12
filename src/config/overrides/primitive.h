#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "config/overrides/override_lexer.h"
#include "config/overrides/parsed_value.h"

namespace ridgeline::config {

// The text between the quotes, `token` included: a backslash is special only in
// front of a quote.
QuotedString UnquoteToken(std::string_view token);

// The value of tokens that stand side by side without quotes: one token may be
// a number, a bool or null; several are a string. Surrounding spaces are dropped.
// A Python message instead if there is no such value.
ridgeline::Result<Scalar, std::string> MakePrimitive(std::string_view line,
                                                     std::span<const Token> tokens);

}  // namespace ridgeline::config
