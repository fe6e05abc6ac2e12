#pragma once

#include "artifacts/sweep_manifest.h"
#include "base/result.h"

namespace ridgeline::app {

// The plan of a sweep, reduced to one job. Parses only that job: parsing all jobs of a
// large sweep would take longer than a short job. kConfig: no such job.
Result<artifacts::SweepManifest> ReadPlanOfJob(const artifacts::SweepDir& directory,
                                               int job);

}  // namespace ridgeline::app
