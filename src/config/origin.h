#pragma once

#include <memory>
#include <string>

namespace ridgeline::config {

// Where a value was written: "conf/model/tiny.yaml:12:3", or a command-line
// override (line 0). Copying is cheap; the name is shared.
struct Origin {
  std::shared_ptr<const std::string>
      source;      // File name or override text; null: unknown.
  int line = 0;    // From 1; 0: the source has no lines.
  int column = 0;  // From 1; 0: not known.

  bool known() const { return source != nullptr; }
  // "file:line:column", "file", or "" when unknown.
  std::string ToString() const;
};

}  // namespace ridgeline::config
