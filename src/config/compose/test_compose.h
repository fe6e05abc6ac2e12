// Fixture shared by the compose tests: a config directory in memory.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/compose/composer.h"
#include "config/tree/assign.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "config/value/yaml_dump.h"

namespace ridgeline::config {

class ComposeTest : public testing::Test {
 protected:
  ComposeTest() {
    request_.files = &files_;
    request_.config_path = "/srv/app/conf";
    request_.config_name = "config";
    request_.working_directory = "/srv/app";
  }

  // Relative to the config directory.
  void Add(std::string_view path, std::string text) {
    files_.Add(JoinPath("/srv/app/conf", path), std::move(text));
  }

  // Composes with these overrides in a new workspace.
  Result<Composition> Composed(std::vector<std::string> overrides = {}) {
    workspace_ = std::make_unique<Workspace>(World{
        .environment = {{"USER", "ada"}},
        .now = {
            .year = 2024, .month = 3, .day = 5, .hour = 14, .minute = 7, .second = 9}});
    request_.overrides = std::move(overrides);
    return Compose(*workspace_, request_);
  }

  // The job's configuration as YAML, or the error.
  std::string Job(std::vector<std::string> overrides = {}) {
    const Result<Composition> composed = Composed(std::move(overrides));
    if (!composed.ok()) return Text(composed.error());
    return DumpYaml(ToValue(JobConfig(*workspace_, *composed.value().root)));
  }

  // One value of the composed configuration, resolved.
  std::string At(const Composition& composition, std::string_view key) {
    const Result<Node*> node = Select(*workspace_, *composition.root, key);
    if (!node.ok()) return Text(node.error());
    return node.value() == nullptr ? "nothing" : Str(ToValue(*node.value()));
  }

  static std::string Text(const Error& error) {
    std::string text = std::string(ClassName(error.kind)) + ": " + error.message;
    if (error.cause != nullptr) text += "\n<- " + Text(*error.cause);
    return text;
  }

  MemoryFiles files_;
  ComposeRequest request_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace ridgeline::config
