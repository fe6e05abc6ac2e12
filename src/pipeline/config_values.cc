#include "pipeline/config_values.h"

#include <fmt/format.h>

#include "config/tree/select.h"

namespace ridgeline::pipeline {
namespace {

using config::Node;

template <typename T>
const T* ScalarOf(const Node* node) {
  if (node == nullptr || !node->is_scalar() || !node->value.is_scalar()) return nullptr;
  return std::get_if<T>(&node->value.scalar());
}

// The node of the key, or of the nearest enclosing mapping.
const Node& WrittenAt(const Node& root, std::string_view key) {
  const Node* node = &root;
  for (const std::string& part : config::SplitKey(key)) {
    Node* const* next = node->children.Find(part);
    if (next == nullptr) break;
    node = *next;
  }
  return *node;
}

}  // namespace

const Node* ConfigValues::Find(std::string_view key) const {
  config::Result<Node*> found = config::Select(workspace_, root_, key);
  if (!found.ok() || found.value() == nullptr || found.value()->IsNone()) return nullptr;
  return found.value();
}

bool ConfigValues::IsTrue(std::string_view key, bool otherwise) const {
  const bool* value = ScalarOf<bool>(Find(key));
  return value == nullptr ? otherwise : *value;
}

std::string ConfigValues::Text(std::string_view key) const {
  const std::string* value = ScalarOf<std::string>(Find(key));
  return value == nullptr ? "" : *value;
}

std::optional<int64_t> ConfigValues::Int(std::string_view key) const {
  const config::Integer* value = ScalarOf<config::Integer>(Find(key));
  if (value == nullptr) return std::nullopt;
  return value->AsInt64();
}

std::string ConfigValues::HydraText(std::string_view key) const {
  if (workspace_.hydra == nullptr) return "";
  return ConfigValues(workspace_, *workspace_.hydra).Text(key);
}

void ConfigValues::Fail(std::string_view key, std::string_view what) {
  config::Error error(config::ErrorKind::kValidation, fmt::format("{}: {}", key, what));
  error.origin = WrittenAt(root_, key).origin;
  errors.push_back(std::move(error));
}

}  // namespace ridgeline::pipeline
