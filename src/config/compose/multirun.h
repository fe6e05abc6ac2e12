// --multirun: the list of jobs and the configuration of each.
#pragma once

#include <string>
#include <vector>

#include "config/compose/composer.h"
#include "config/overrides/basic_sweeper.h"

namespace ridgeline::config {

struct Sweep {
  std::string directory;  // hydra.sweep.dir, resolved.
  std::vector<JobBatch> batches;
  std::vector<std::string> hydra_overrides;  // Prepended to each job's own overrides.
};

// Expands the sweep of an already composed multirun (mode kMultirun).
Result<Sweep> PlanSweep(Workspace& workspace, const Composition& composition,
                        const ComposeRequest& request);

struct SweepJob {
  Composition composition;
  std::string subdirectory;  // hydra.sweep.subdir, resolved.
};

// Composes job `number` of a sweep.
Result<SweepJob> ComposeSweepJob(Workspace& workspace, const ComposeRequest& request,
                                 const Sweep& sweep, const JobOverrides& overrides,
                                 int number);

}  // namespace ridgeline::config
