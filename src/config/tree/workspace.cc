#include "config/tree/workspace.h"

#include <algorithm>
#include <utility>

namespace ridgeline::config {

Workspace::Workspace(World world, WorkspaceBounds bounds)
    : world_(std::move(world)), bounds_(bounds) {}

Node& Workspace::NewNode(Node::Shape shape) {
  Node& node = nodes_.emplace_back();
  node.shape = shape;
  return node;
}

Node& Workspace::DeepCopy(const Node& node) {
  Node& copy = nodes_.emplace_back(node);
  for (auto& [key, child] : copy.children) {
    child = &DeepCopy(*child);
    child->parent = &copy;
  }
  for (Node*& item : copy.items) {
    item = &DeepCopy(*item);
    item->parent = &copy;
  }
  return copy;
}

void Workspace::AddResolver(std::string name, Resolver resolver) {
  resolvers_.insert_or_assign(std::move(name), std::move(resolver));
}

const Resolver* Workspace::FindResolver(std::string_view name) const {
  const auto found = resolvers_.find(name);
  return found == resolvers_.end() ? nullptr : &found->second;
}

void Workspace::Warn(std::string text) {
  if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end()) {
    warnings_.push_back(std::move(text));
  }
}

std::vector<std::string> Workspace::TakeWarnings() {
  return std::exchange(warnings_, {});
}

}  // namespace ridgeline::config
