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
//   config::Reader reader(workspace, job);                   // typed, all mistakes at
//   once std::string yaml = config::DumpYaml(config::ToValue(job));
//
// It depends on libyaml, GMP and fmt, and of this repository only on the rooms base
// and os. Nodes live in the workspace; nothing is global and nothing is cached
// between two compositions.
#pragma once

#include "config/compose/composer.h"
#include "config/compose/job.h"
#include "config/compose/multirun.h"
#include "config/error.h"
#include "config/overrides/override_parser.h"
#include "config/reader.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/yaml_dump.h"
#include "config/value/yaml_load.h"
