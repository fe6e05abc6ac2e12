// What a YAML 1.1 scalar is: the tag that its text implies and the value that
// the tag makes of it, as PyYAML 6.0 with OmegaConf's changes does.
#pragma once

#include <string_view>

#include "config/error.h"
#include "config/value/value.h"

namespace ridgeline::config {

enum class YamlTag {
  kNull,
  kBool,
  kInt,
  kFloat,
  kStr,
  kBinary,
  kTimestamp,
  kOmap,
  kPairs,
  kSet,
  kSeq,
  kMap,
  kMerge,
  kValue,    // The key "=".
  kUnknown,  // No constructor: an error wherever it is a value.
};

// Of a full name such as "tag:yaml.org,2002:int".
YamlTag TagFromName(std::string_view name);

// The full name; empty for kUnknown.
std::string_view TagName(YamlTag tag);

// What OmegaConf's loader takes a plain scalar for: 1e3 is a float, 2020-01-01
// a string.
YamlTag ResolveLoaded(std::string_view text);

// What PyYAML's dumper would take it for: 1e3 is a string, 2020-01-01 a
// timestamp. A string that is not kStr here has to be quoted.
YamlTag ResolveDumped(std::string_view text);

// The value of a scalar with a scalar tag (kNull .. kTimestamp). The error has
// no origin yet.
Result<Scalar> ConstructScalar(YamlTag tag, std::string_view text);

}  // namespace ridgeline::config
