#include <ostream>

#include "app/command_support.h"
#include "app/compose_here.h"
#include "app/hydra/hydra_actions.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "config/value/yaml_dump.h"

namespace ridgeline::app {
namespace {

config::Node& ShownConfig(config::Workspace& workspace, config::Node& root,
                          const std::string& shown) {
  if (shown == "job") {
    config::TakeOutHydra(workspace, root);
    return root;
  }
  config::UseHydraNode(workspace, root);
  return shown == "hydra" ? config::HydraConfig(workspace, root) : root;
}

config::Result<config::Node*> ShownPart(config::Workspace& workspace,
                                        config::Node& config,
                                        const HydraOptions& options) {
  if (options.package.empty() || options.package == "_global_") return &config;
  RIDGELINE_TRY(config::Node * part, config::Select(workspace, config, options.package));
  if (part != nullptr && !part->IsNone()) return part;
  config::Error error(config::ErrorKind::kConfigKey,
                      "package '" + options.package + "' not found in config");
  return error;
}

}  // namespace

ExitStatus ShowConfig(const HydraOptions& options, const Streams& streams) {
  auto composed = ComposeFor(options, streams);
  if (!composed.ok()) return composed.error();
  config::Workspace& workspace = composed.value()->workspace;
  config::Node& root = *composed.value()->composition.root;
  config::Node& config = ShownConfig(workspace, root, options.shown);
  config::Result<config::Node*> part = ShownPart(workspace, config, options);
  if (!part.ok()) return Fail(streams, part.error());
  config::Node& node = *part.value();
  if (!node.is_container() || node.special) {
    streams.out << config::Str(node.value) << '\n';
    return ExitStatus::kDone;
  }
  if (options.resolve) {
    config::Status resolved = config::ResolveInPlace(workspace, node);
    PrintWarnings(streams, workspace);
    if (!resolved.ok()) return Fail(streams, resolved.error());
  }
  if (&node != &config) streams.out << "# @package " << options.package << '\n';
  streams.out << config::DumpYaml(config::ToValue(node));
  return ExitStatus::kDone;
}

}  // namespace ridgeline::app
