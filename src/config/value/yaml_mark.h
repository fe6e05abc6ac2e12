#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "config/error.h"

namespace ridgeline::config {

// A position in a YAML text; 1-based.
struct YamlMark {
  int line = 1;
  int column = 1;
  friend bool operator==(const YamlMark&, const YamlMark&) = default;
};

// The name of a text, shared by the origins of its errors.
using SourceName = std::shared_ptr<const std::string>;

// The operation that failed: "while constructing a mapping".
struct YamlContext {
  std::string what;
  std::optional<YamlMark> mark;  // Where it started.
};

// An error formatted like PyYAML's:
//   while constructing a mapping
//     in "conf/a.yaml", line 1, column 1
//   found duplicate key a
//     in "conf/a.yaml", line 2, column 1
Error YamlError(ErrorKind kind, const SourceName& source, const YamlContext& context,
                std::string_view problem, YamlMark mark);
Error YamlError(ErrorKind kind, const SourceName& source, std::string_view problem,
                YamlMark mark);

// A line break of YAML 1.1 at text[at]: its length in bytes (\r\n is one), or 0.
size_t YamlBreakLength(std::string_view text, size_t at);

// The byte offset of the character with this index (0-based). libyaml's marks count
// characters.
size_t ByteOffset(std::string_view text, size_t character_index);

}  // namespace ridgeline::config
