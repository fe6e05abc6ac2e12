// Tags and values of YAML 1.1 scalars: the tag implied by the text and the value
// constructed from it, as in PyYAML 6.0 with OmegaConf's changes.
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
  kUnknown,  // No constructor: an error if used as a value.
};

// From a full name such as "tag:yaml.org,2002:int".
YamlTag TagFromName(std::string_view name);

// The full name; empty for kUnknown.
std::string_view TagName(YamlTag tag);

// The tag OmegaConf's loader gives a plain scalar: 1e3 is a float, 2020-01-01 a string.
YamlTag ResolveLoaded(std::string_view text);

// The tag PyYAML's dumper would give it: 1e3 is a string, 2020-01-01 a timestamp. A
// string whose tag is not kStr has to be quoted.
YamlTag ResolveDumped(std::string_view text);

// The value of a scalar with a scalar tag (kNull .. kTimestamp). The error has
// no origin yet.
Result<Scalar> ConstructScalar(YamlTag tag, std::string_view text);

}  // namespace ridgeline::config
