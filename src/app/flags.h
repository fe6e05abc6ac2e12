// Command-line flags, declared once: parsing, help and checks use the same table. Flags
// and other arguments may be mixed freely.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ridgeline::app {

struct Flag {
  enum class Takes {
    kNothing,
    kValue,  // If repeated, the last one counts.
    kOptionalValue,
    kValueEachTime,  // May be repeated.
    kValues,         // One or more arguments, up to the next flag.
  };

  std::string_view name;        // "--cfg"
  std::string_view short_name;  // "-c", "-cn"; empty: none.
  Takes takes = Takes::kNothing;
  std::string_view value_name;  // In the help: "FILE"; empty if it takes no value.
  std::string_view help;
  std::vector<std::string_view> choices = {};  // Empty: anything.
  std::string_view when_omitted = {};          // kOptionalValue: default value.
};

struct ParsedFlags {
  std::map<std::string_view, std::string> values;  // By long name; "" for kNothing.
  // kValueEachTime and kValues, in order.
  std::map<std::string_view, std::vector<std::string>> lists;
  std::vector<std::string> words;  // Everything else, in order.

  bool Has(std::string_view name) const { return values.contains(name); }
  // Empty if the flag was not given.
  std::string Get(std::string_view name) const;
  std::vector<std::string> GetAll(std::string_view name) const;
};

// A mistake on the command line.
inline Error UsageError(std::string text) {
  return {ErrorCode::kConfig, std::move(text)};
}

// Accepts "--name value", "--name=value", "-n value" and unambiguous prefixes of long
// names; after "--" everything is a word.
Result<ParsedFlags> ParseFlags(std::span<const Flag> flags,
                               std::span<const std::string> arguments);

// One line per flag, for the help of a command.
std::string FlagsHelp(std::span<const Flag> flags);

}  // namespace ridgeline::app
