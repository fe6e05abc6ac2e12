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

// Nesting depth of containers, and number of parts of a key path. Files have a lower
// limit; this one is only reached by interpolations that refer back to themselves.
inline constexpr int kMaxLevels = 1000;

// The result of an interpolation: a node of the tree, or a separate value.
using Resolved = std::variant<Node*, Value>;

// The input of a resolver such as ${oc.env:HOME}.
struct ResolverInput {
  Workspace& workspace;
  Node& parent;  // The container of the interpolation.
  Node& node;    // The node whose text contains it.
  std::vector<Resolved> arguments;
};
using Resolver = std::function<Result<Resolved>(const ResolverInput&)>;

// The outside world as seen by interpolations. Passed in rather than queried, so that the
// same inputs always compose to the same configuration.
struct World {
  std::map<std::string, std::string> environment;
  os::LocalTime now;
};

// A large configuration has a few thousand nodes and as many interpolations; only
// documents built to explode reach these bounds.
struct WorkspaceBounds {
  size_t nodes = 500'000;
  size_t steps = 300'000;
};

// Owns the nodes of one composition and the state needed to evaluate them.
class Workspace {
 public:
  explicit Workspace(World world, WorkspaceBounds bounds = {});

  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // A new node that lives as long as the workspace.
  Node& NewNode(Node::Shape shape);
  // A deep copy; keeps its parent, as in OmegaConf.
  Node& DeepCopy(const Node& node);

  // Adds or replaces a resolver: workspace.AddResolver("half", [](auto& in) ...).
  void AddResolver(std::string name, Resolver resolver);
  const Resolver* FindResolver(std::string_view name) const;

  // Warnings that Hydra and OmegaConf print; in order, without duplicates.
  void Warn(std::string text);
  std::vector<std::string> TakeWarnings();

  const World& world() const { return world_; }

  // The `hydra` node for ${hydra:...}; null until it is composed.
  Node* hydra = nullptr;

  // The file or override being read: recorded in new nodes.
  std::shared_ptr<const std::string> source;

  // While true, a node put into another tree is moved there instead of copied. Hydra
  // composes this way, and the effect is visible: the second occurrence of a file listed
  // twice includes what was merged into it since the first.
  bool share_nodes = false;

  // Guards against input that would exhaust time, memory or stack. False: stop. The
  // budget is never refilled: a workspace is for one composition, not for a server.
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
