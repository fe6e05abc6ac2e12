// libyaml's scanner, for details that its parser does not expose.
#pragma once

#include <yaml.h>

#include <cstddef>
#include <optional>
#include <string_view>

namespace ridgeline::config {

// A scalar or a tag. Everything between two tokens is white space, comments and
// indicators.
struct YamlToken {
  enum class Kind { kPlain, kQuoted, kBlock, kTag };
  Kind kind = Kind::kPlain;
  size_t first = 0;  // In characters.
  size_t last = 0;   // One past its end.
};

struct YamlScanFailure {
  std::string_view problem;  // libyaml's message.
  size_t at = 0;             // In characters.
  size_t context_at = 0;     // Where the token began, in characters.
  int indent = 0;            // Column of the enclosing block collection, 0-based.
};

class YamlTokenReader {
 public:
  // The text must outlive the reader.
  explicit YamlTokenReader(std::string_view text);
  YamlTokenReader(const YamlTokenReader&) = delete;
  YamlTokenReader& operator=(const YamlTokenReader&) = delete;
  ~YamlTokenReader();

  // Empty at the end or at an error.
  std::optional<YamlToken> Next();

  // Why and where Next() failed; empty if it did not.
  std::optional<YamlScanFailure> failure() const;

 private:
  yaml_parser_t parser_ = {};
  bool initialized_ = false;
};

}  // namespace ridgeline::config
