// The steps Hydra performs between composing a configuration and calling the job.
#pragma once

#include <map>
#include <string>

#include "config/compose/composer.h"

namespace ridgeline::config {

struct Job {
  Node* config = nullptr;         // Without the `hydra` key.
  std::string output_directory;   // Absolute.
  std::string working_directory;  // The output directory if hydra.job.chdir, else the
                                  // current one.
  // The files Hydra writes to hydra.output_subdir, by path relative to the output
  // directory: ".hydra/config.yaml" etc. Empty if output_subdir is null.
  std::map<std::string, std::string> files;
};

// Determines the job's directory and the files to write there; writes nothing. From this
// call on, ${hydra:...} reads this job's hydra node. The last override of `composition`
// must be "hydra.mode=RUN" (or MULTIRUN). May be called again after AddOverrides, for the
// same job in another directory.
Result<Job> PrepareJob(Workspace& workspace, const Composition& composition,
                       const std::string& current_directory);

}  // namespace ridgeline::config
