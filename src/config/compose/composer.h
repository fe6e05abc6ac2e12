// Composes a configuration: the primary config, its defaults list, the command line,
// and the `hydra` node with the runtime values of this run.
//
// How a program uses the configuration library:
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
//   config::Reader reader(workspace, job);  // typed; reports all errors at once
//   std::string yaml = config::DumpYaml(config::ToValue(job));
//
// Dependencies: libyaml, GMP, fmt, and the modules base and os. Nodes live in the
// workspace; there is no global state, and nothing is cached between compositions.
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

// The Hydra release whose behavior is reproduced.
inline constexpr std::string_view kHydraVersion = "1.3.2";
inline constexpr std::string_view kVersionBase = "1.3";

enum class RunMode { kRun, kMultirun };

struct ComposeRequest {
  const ConfigFiles* files = nullptr;
  std::string config_path;                 // The primary config directory; absolute.
  std::optional<std::string> config_dir;   // An additional one (--config-dir); absolute.
  std::optional<std::string> config_name;  // Empty: only the command line is composed.
  std::vector<std::string> overrides;
  RunMode mode = RunMode::kRun;
  std::string job_name = "app";
  std::string working_directory;  // Absolute.
  // Called after merging the files, and again after applying the overrides, so that a
  // program can complete a foreign tree. Both calls come before `hydra` is filled in.
  std::function<Status(Workspace& workspace, Node& root)> adapt;
};

struct Composition {
  Node* root = nullptr;  // Lives in the workspace; has the key "hydra".
  DefaultsList defaults;
  std::vector<Override> overrides;  // In the order given.
  std::vector<ConfigSource> sources;
};

// Warnings are added to the workspace even if composing fails.
Result<Composition> Compose(Workspace& workspace, const ComposeRequest& request);

// Changes values of a composition as if these overrides had been the last ones of its
// request: hydra.mode=RUN, or hydra.run.dir=DIR once a free directory is known. Group
// choices are already fixed at this point, so overriding a group is an error.
Status AddOverrides(Workspace& workspace, Composition& composition,
                    const std::vector<std::string>& lines);

// Only the defaults list, for --info defaults and defaults-tree.
Result<DefaultsList> ComposeDefaults(Workspace& workspace, const ComposeRequest& request);

// From this call on, ${hydra:...} reads this configuration's hydra node.
void UseHydraNode(Workspace& workspace, const Node& root);

// The configuration a job sees: without the `hydra` key.
Node& JobConfig(Workspace& workspace, const Node& root);

// Like JobConfig(), but without copying: afterwards `root` is the job's configuration,
// and ${hydra:...} reads the node removed from it.
void TakeOutHydra(Workspace& workspace, Node& root);

// The output of `--cfg hydra`: the `hydra` key alone, without its help texts.
Node& HydraConfig(Workspace& workspace, const Node& root);

// The output directory of a run: hydra.run.dir, resolved, as text.
Result<std::string> RunDirectory(Workspace& workspace, Node& root);

}  // namespace ridgeline::config
