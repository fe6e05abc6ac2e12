// Fixture shared by the tests of this folder: trees written as YAML.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/tree/build.h"
#include "config/tree/resolvers.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "config/value/yaml_dump.h"
#include "config/value/yaml_load.h"

namespace ridgeline::config {

class TreeTest : public testing::Test {
 protected:
  TreeTest() { AddBuiltinResolvers(workspace_); }

  // Plain data from valid YAML.
  static Value Data(std::string_view yaml) {
    Result<Value> value = LoadYaml(yaml, "test.yaml");
    EXPECT_TRUE(value.ok()) << yaml;
    return value.ok() ? std::move(value).value() : Value();
  }

  // The same as a tree loaded from the file "test.yaml".
  Node& Tree(std::string_view yaml) {
    return *CreateRoot(workspace_, Data(yaml),
                       std::make_shared<const std::string>("test.yaml"))
                .value();
  }

  // A child by key path, as stored.
  static Node& At(Node& root, std::string_view path) {
    Node* node = &root;
    for (const std::string& part : SplitKey(path)) {
      const Scalar key = node->is_list() ? Scalar(*ParsePythonInt(part)) : Scalar(part);
      node = FindNode(*node, key);
    }
    return *node;
  }

  static std::string Yaml(const Node& node) { return DumpYaml(ToValue(node)); }

  // The value of cfg[key] as Python prints it, or the error's class and message.
  std::string Read(Node& root, const std::string& key) {
    Result<Node*> read = ReadItem(workspace_, root, key);
    if (!read.ok()) return Text(read.error());
    return StrOf(Unwrapped(read.value()));
  }

  static std::string Text(const Error& error) {
    return std::string(ClassName(error.kind)) + ": " + error.message;
  }

  template <typename T>
  static std::string ErrorText(const Result<T>& result) {
    return result.ok() ? "no error" : Text(result.error());
  }

  Workspace workspace_{World{
      .environment = {{"USER", "ada"}, {"PORT", "80"}},
      .now = {.year = 2024, .month = 3, .day = 5, .hour = 14, .minute = 7, .second = 9}}};
};

}  // namespace ridgeline::config
