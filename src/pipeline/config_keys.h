// Declaration of configuration keys by their owners: stages, workloads and the run.
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
  kTextOrList,   // A list, or one string with commas.
  kArguments,    // A list of program arguments: strings, and numbers as written.
  kMapping,      // With user-defined keys.
  kMappingList,  // A list of such mappings, checked by its reader.
};

struct ConfigKey {
  // "pipeline.nsys.trace"; "*" matches any single key, "a|b" either one.
  std::string_view path;
  ValueKind kind = ValueKind::kText;
  bool nullable = false;
  bool required = false;          // Whenever the enclosing mapping exists.
  std::string_view choices = "";  // For a string or its parts: "deep|light". Empty: any.
  bool (*accepts)(std::string_view text) = nullptr;  // If choices cannot express it,
  std::string_view expected = "";  // with a description of what it accepts.
  std::optional<double> min;       // Minimum, inclusive,
  std::optional<double> above;     // or exclusive.
  // Default value as YAML, for trees without the key; equal to conf/. Empty: a missing
  // key has a meaning, or the key is required.
  std::string_view otherwise = "";
};

class ConfigValues;

// The keys of one owner, and a check for values that are individually valid but
// inconsistent, such as a capture gated by an NVTX range without its name. It only sees
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
