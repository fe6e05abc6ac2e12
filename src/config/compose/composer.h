// Composing a configuration: the primary config, its defaults list, the command
// line, and the `hydra` node with what is known of this run.
//
// The configuration library, as a program uses it:
//
//   config::DiskFiles files;
//   config::Workspace workspace({os::Environment(), os::Now()});
//   RIDGELINE_TRY(config::Composition composition,
//                 config::Compose(workspace, {.files = &files,
//                                             .config_path = "/srv/app/conf",
//                                             .config_name = "config",
//                                             .overrides = {"db=postgres", "lr=0.1"},
//                                             .working_directory = "/srv/app"}));
//   config::UseHydraNode(workspace, *composition.root);      // for ${hydra:...}
//   config::Node& job = config::JobConfig(workspace, *composition.root);
//   config::Reader reader(workspace, job);  // typed, all mistakes at once
//   std::string yaml = config::DumpYaml(config::ToValue(job));
//
// It depends on libyaml, GMP and fmt, and of this repository only on the modules base
// and os. Nodes live in the workspace; nothing is global and nothing is cached
// between two compositions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/compose/config_files.h"
#include "config/compose/config_source.h"
#include "config/compose/defaults_list.h"
#include "config/error.h"
#include "config/overrides/override.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// The release whose behaviour we keep.
inline constexpr std::string_view kHydraVersion = "1.3.2";
inline constexpr std::string_view kVersionBase = "1.3";

enum class RunMode { kRun, kMultirun };

struct ComposeRequest {
  const ConfigFiles* files = nullptr;
  std::string config_path;                 // The primary config directory; absolute.
  std::optional<std::string> config_dir;   // A further one (--config-dir); absolute.
  std::optional<std::string> config_name;  // Empty: only the command line.
  std::vector<std::string> overrides;
  RunMode mode = RunMode::kRun;
  std::string job_name = "app";
  std::string working_directory;  // Absolute.
  // Called with the tree of the files, and again with the overrides applied, so that a
  // program can complete trees of others; both times before `hydra` is filled in.
  std::function<Status(Workspace& workspace, Node& root)> adapt;
};

struct Composition {
  Node* root = nullptr;  // Lives in the workspace; has the key "hydra".
  DefaultsList defaults;
  std::vector<Override> overrides;  // In the order given.
  std::vector<ConfigSource> sources;
};

// Warnings are left in the workspace, also when composing fails.
Result<Composition> Compose(Workspace& workspace, const ComposeRequest& request);

// Changes values of a composition as if these overrides had been the last ones of its
// request: hydra.mode=RUN, or hydra.run.dir=DIR once a free directory is known. Groups
// are chosen by then, so an override of one is an error.
Status AddOverrides(Workspace& workspace, Composition& composition,
                    const std::vector<std::string>& lines);

// Only the defaults list, for --info defaults and defaults-tree.
Result<DefaultsList> ComposeDefaults(Workspace& workspace, const ComposeRequest& request);

// From here on ${hydra:...} reads this configuration's hydra node.
void UseHydraNode(Workspace& workspace, const Node& root);

// The configuration that a job sees: without the `hydra` key.
Node& JobConfig(Workspace& workspace, const Node& root);

// The same without copying anything: afterwards `root` is the job's configuration,
// and ${hydra:...} reads the node that was taken out of it.
void TakeOutHydra(Workspace& workspace, Node& root);

// What `--cfg hydra` shows: the `hydra` key alone, without its help texts.
Node& HydraConfig(Workspace& workspace, const Node& root);

// Where a run writes: hydra.run.dir, resolved, as text.
Result<std::string> RunDirectory(Workspace& workspace, Node& root);

}  // namespace ridgeline::config
