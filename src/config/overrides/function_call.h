// The functions of the override grammar: range(1,5), choice(a,b), int(3.5), ...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "config/overrides/parsed_value.h"

namespace ridgeline::config {

// A Python exception raised by a function of the grammar. The parser wraps it:
// "ValueError while evaluating 'choice()': empty choice is not legal".
struct Raised {
  std::string_view class_name;
  std::string message;
};

inline Raised ValueErrorOf(std::string message) {
  return {"ValueError", std::move(message)};
}
inline Raised TypeErrorOf(std::string message) {
  return {"TypeError", std::move(message)};
}

template <typename T>
using Evaluated = ridgeline::Result<T, Raised>;

struct FunctionCall {
  std::string_view name;
  ParsedList positional;
  // In order of first appearance; a repeated name has its last value.
  std::vector<std::pair<std::string_view, ParsedValue>> named;
  uint32_t shuffle_seed = 0;  // shuffle([..]) is evaluated while parsing.
};

Evaluated<ParsedValue> EvaluateFunction(FunctionCall call);

}  // namespace ridgeline::config
