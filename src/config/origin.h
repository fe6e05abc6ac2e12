#pragma once

#include <memory>
#include <string>

namespace ridgeline::config {

// Where a value was written: "conf/model/tiny.yaml:12:3", or a command-line override
// (line 0). Cheap to copy; the name is shared.
struct Origin {
  std::shared_ptr<const std::string>
      source;      // File name or override text; null: unknown.
  int line = 0;    // 1-based; 0: the source has no lines.
  int column = 0;  // 1-based; 0: unknown.

  bool known() const { return source != nullptr; }
  // "file:line:column", "file", or "" when unknown.
  std::string ToString() const;
};

}  // namespace ridgeline::config
