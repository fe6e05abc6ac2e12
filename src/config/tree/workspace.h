#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/error.h"
#include "config/tree/node.h"
#include "os/clock.h"

namespace ridgeline::config {

class Workspace;

// Containers inside containers, and parts of a key path. Files are limited to
// less; this is reached by interpolations that lead back into themselves.
inline constexpr int kMaxLevels = 1000;

// What an interpolation yields: a node of the tree, or a separate value.
using Resolved = std::variant<Node*, Value>;

// What a resolver such as ${oc.env:HOME} is given.
struct ResolverInput {
  Workspace& workspace;
  Node& parent;  // The container that holds the interpolation.
  Node& node;    // The node whose text holds it.
  std::vector<Resolved> arguments;
};
using Resolver = std::function<Result<Resolved>(const ResolverInput&)>;

// What interpolations may know of the outside world. Given, not asked for, so
// that the same inputs always compose to the same configuration.
struct World {
  std::map<std::string, std::string> environment;
  os::LocalTime now;
};

// A large configuration has a few thousand nodes and as many interpolations; these
// bounds are reached only by documents made to explode.
struct WorkspaceBounds {
  size_t nodes = 500'000;
  size_t steps = 300'000;
};

// Owns the nodes of one composition, and what reading them needs.
class Workspace {
 public:
  explicit Workspace(World world, WorkspaceBounds bounds = {});

  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // A fresh node that lives as long as the workspace.
  Node& NewNode(Node::Shape shape);
  // A copy with everything below it; its parent is kept, as OmegaConf keeps it.
  Node& DeepCopy(const Node& node);

  // Adds or replaces a resolver: workspace.AddResolver("half", [](auto& in) ...).
  void AddResolver(std::string name, Resolver resolver);
  const Resolver* FindResolver(std::string_view name) const;

  // Warnings that Hydra and OmegaConf print; each text once, in order.
  void Warn(std::string text);
  std::vector<std::string> TakeWarnings();

  const World& world() const { return world_; }

  // The `hydra` node that ${hydra:...} reads; null until it is composed.
  Node* hydra = nullptr;

  // The file or override that is being read: new nodes remember it.
  std::shared_ptr<const std::string> source;

  // While true, a node that is put into another tree is moved there, not copied.
  // Hydra composes this way, and it shows: a file that is listed twice sees at
  // the second time what was merged into it since.
  bool share_nodes = false;

  // Guards against input that would eat all time, memory or stack. False: stop.
  // What is spent is spent: a workspace is for one composition, not for a server.
  bool Spend(size_t steps) { return (steps_ += steps) <= bounds_.steps; }
  bool HasRoom() const { return nodes_.size() <= bounds_.nodes; }
  int interpolation_depth = 0;
  int container_depth = 0;

 private:
  World world_;
  WorkspaceBounds bounds_;
  std::deque<Node> nodes_;
  std::map<std::string, Resolver, std::less<>> resolvers_;
  std::vector<std::string> warnings_;
  size_t steps_ = 0;
};

}  // namespace ridgeline::config
