// How the owners of configuration keys declare them: stages, workloads and the run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::pipeline {

enum class ValueKind {
  kBool,
  kInteger,
  kNumber,  // Integer or finite float.
  kText,
  kTextList,
  kTextOrList,   // A list, or one text with commas.
  kArguments,    // A list of words for a program: texts, and numbers as they are.
  kMapping,      // With keys of the user's own.
  kMappingList,  // A list of such mappings; its reader checks them.
};

struct ConfigKey {
  // "pipeline.nsys.trace"; "*" stands for any one key, "a|b" for one of two.
  std::string_view path;
  ValueKind kind = ValueKind::kText;
  bool nullable = false;
  bool required = false;          // Wherever the mapping around it exists.
  std::string_view choices = "";  // Of a text or its parts: "deep|light". Empty: any.
  bool (*accepts)(std::string_view text) = nullptr;  // Where choices cannot express it,
  std::string_view expected = "";                    // with what it accepts in words.
  std::optional<double> min;                         // The smallest number allowed,
  std::optional<double> above;  // or a number that it must be greater than.
  // Default value as YAML, for trees without the key; equal to conf/. Empty: a missing
  // key has its own meaning, or the key is required.
  std::string_view otherwise = "";
};

class ConfigValues;

// The keys of one owner, and a check of values that are each allowed but do not go
// together, such as a capture gated by an NVTX range without its name. It sees only
// values of the right type. May be null.
struct KeyGroup {
  std::span<const ConfigKey> keys;
  void (*check)(ConfigValues& values) = nullptr;
};

// "an integer >= 1 or null": for messages and the reference.
std::string Expected(const ConfigKey& key);

// "a|b" -> a, b.
std::vector<std::string> SplitChoices(std::string_view choices);

// Whether `text` is a number >= 0 without a sign: the N of cuda:N, repeat:N.
bool IsCount(std::string_view text);

}  // namespace ridgeline::pipeline
