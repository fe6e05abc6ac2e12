// Every configuration key, declared once: path and allowed values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::pipeline {

enum class ValueKind {
  kBool,
  kInteger,
  kNumber,  // Integer or finite float.
  kText,
  kTextList,
  kTextOrList,  // A list, or one text with commas.
  kArguments,   // A list of words for a program: texts, and numbers as they are.
  kMapping,     // With keys of the user's own.
};

enum class TextForm {
  kAny,
  kOneOf,     // A word of `choices`.
  kDevice,    // cpu, cuda, cuda:N, auto.
  kRangeEnd,  // What nsys takes as --capture-range-end.
};

struct ConfigKey {
  std::string_view path;  // "pipeline.nsys.trace"; "*" stands for any one key.
  ValueKind kind = ValueKind::kText;
  bool nullable = false;
  bool required = false;  // Wherever the mapping around it exists.
  TextForm form = TextForm::kAny;
  std::string_view choices = "";  // "deep|light"; for kTextOrList, of each part.
  std::optional<double> min;      // The least number allowed,
  std::optional<double> above;    // or a number that it must be greater than.
};

// In the order of the composed configuration.
std::span<const ConfigKey> ConfigKeys();

// "an integer >= 1 or null": for messages and the reference.
std::string Expected(const ConfigKey& key);

// "a|b" -> a, b.
std::vector<std::string> SplitChoices(std::string_view choices);

// Values that are each allowed but do not go together, such as a capture gated by
// an NVTX range without its name. Every value must have its type.
std::vector<config::Error> CheckRelations(config::Workspace& workspace,
                                          config::Node& job_config);

}  // namespace ridgeline::pipeline
