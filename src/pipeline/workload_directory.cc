#include "pipeline/workload_directory.h"

#include <optional>

#include "config/reader.h"
#include "config/tree/select.h"
#include "config/value/python_text.h"

namespace ridgeline::pipeline {
namespace {

using config::Node;
using config::Workspace;

// Empty if the configuration was not composed for a job.
std::string HydraText(Workspace& workspace, std::string_view key) {
  if (workspace.hydra == nullptr) return "";
  config::Result<Node*> node = config::Select(workspace, *workspace.hydra, key);
  return node.ok() && node.value() != nullptr ? config::Str(node.value()->value) : "";
}

// The output directory with hydra.job.chdir, else the current directory.
std::filesystem::path JobDirectory(Workspace& workspace) {
  const bool changes = HydraText(workspace, "job.chdir") == "True";
  return HydraText(workspace, changes ? "runtime.output_dir" : "runtime.cwd");
}

}  // namespace

std::filesystem::path ConfigDirectory(Workspace& workspace) {
  return HydraText(workspace, "runtime.cwd");
}

config::Result<std::filesystem::path> WorkloadDirectory(Workspace& workspace,
                                                        Node& root) {
  std::optional<std::string> directory;
  RIDGELINE_TRY(Node * node, config::Select(workspace, root, "pipeline.workload"));
  if (node != nullptr) {
    config::Reader(workspace, *node).ReadOptional("cwd", directory);
  }
  return directory ? std::filesystem::path(*directory) : JobDirectory(workspace);
}

}  // namespace ridgeline::pipeline
