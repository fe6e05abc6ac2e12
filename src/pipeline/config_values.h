#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::pipeline {

// The values of one configuration, by key, for consistency checks; empty if absent or
// null.
class ConfigValues {
 public:
  ConfigValues(config::Workspace& workspace, config::Node& root)
      : workspace_(workspace), root_(root) {}

  const config::Node* Find(std::string_view key) const;
  bool IsTrue(std::string_view key, bool otherwise) const;
  std::string Text(std::string_view key) const;
  std::optional<int64_t> Int(std::string_view key) const;
  // A string below `hydra`; empty if there is no such node.
  std::string HydraText(std::string_view key) const;

  void Fail(std::string_view key, std::string_view what);

  std::vector<config::Error> errors;

 private:
  config::Workspace& workspace_;
  config::Node& root_;
};

}  // namespace ridgeline::pipeline
