// What Hydra does between composing a configuration and calling the job.
#pragma once

#include <map>
#include <string>

#include "config/compose/composer.h"

namespace ridgeline::config {

struct Job {
  Node* config = nullptr;         // Without the `hydra` key.
  std::string output_directory;   // Absolute.
  std::string working_directory;  // The same if hydra.job.chdir, else where we are.
  // What Hydra leaves in hydra.output_subdir, by path below the output directory:
  // ".hydra/config.yaml" and so on. Empty when output_subdir is null.
  std::map<std::string, std::string> files;
};

// Decides where the job runs and what is written there; writes nothing. From
// here on ${hydra:...} reads this job's hydra node. The last override of `composition`
// must be "hydra.mode=RUN" (or MULTIRUN). May be called again after AddOverrides, for
// the same job in another directory.
Result<Job> PrepareJob(Workspace& workspace, const Composition& composition,
                       const std::string& current_directory);

}  // namespace ridgeline::config
