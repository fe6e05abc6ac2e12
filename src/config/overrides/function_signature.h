// Binds the arguments of a call to the parameters of a grammar function, with the checks
// and error messages of Python's inspect.Signature.bind.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "config/overrides/function_call.h"

namespace ridgeline::config {

// Sets of Python types that a parameter accepts.
using TypeSet = unsigned;
constexpr TypeSet kNoneType = 1U << 0U;
constexpr TypeSet kBoolType = 1U << 1U;
constexpr TypeSet kIntType = (1U << 2U) | kBoolType;  // isinstance(True, int) holds.
constexpr TypeSet kFloatType = 1U << 3U;
constexpr TypeSet kStrType = 1U << 4U;
constexpr TypeSet kQuotedType = 1U << 5U;
constexpr TypeSet kListType = 1U << 6U;
constexpr TypeSet kDictType = 1U << 7U;
constexpr TypeSet kChoiceType = 1U << 8U;
constexpr TypeSet kRangeType = 1U << 9U;
constexpr TypeSet kIntervalType = 1U << 10U;
constexpr TypeSet kGlobType = 1U << 11U;
constexpr TypeSet kSweepTypes = kChoiceType | kRangeType | kIntervalType;
constexpr TypeSet kNumberTypes = kIntType | kFloatType;
constexpr TypeSet kElementTypes = kNumberTypes | kStrType | kListType | kDictType;
constexpr TypeSet kParsedElementTypes = kElementTypes | kQuotedType | kNoneType;

bool IsOfType(const ParsedValue& value, TypeSet types);

enum class ParameterKind {
  kRequired,   // By position or by name.
  kOptional,   // By position or by name.
  kRest,       // *args: all positional arguments.
  kNamedOnly,  // Optional, after *args.
};

struct Parameter {
  std::string_view name;
  ParameterKind kind = ParameterKind::kRequired;
  TypeSet types = 0;
  std::string_view type_text;  // Type names as in OmegaConf's messages.
};

struct BoundArguments {
  ParsedList rest;                                // The *args.
  std::vector<std::optional<ParsedValue>> named;  // By parameter; empty: the default.

  // The argument; null if it was not given or is None.
  const ParsedValue* Get(size_t parameter) const {
    const std::optional<ParsedValue>& value = named[parameter];
    return value && !value->IsNull() ? &*value : nullptr;
  }
};

// Quoted arguments arrive as plain strings.
Evaluated<BoundArguments> BindArguments(std::span<const Parameter> parameters,
                                        FunctionCall call);

}  // namespace ridgeline::config
