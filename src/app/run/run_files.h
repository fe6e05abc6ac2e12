// Files that a run writes before its first stage.
#pragma once

#include <string>

#include "app/run/run_setup.h"
#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "os/process_runner.h"

namespace ridgeline::app {

// The manifest of a run that has not begun.
artifacts::Manifest NewManifest(const RunSetup& setup, const RunOptions& options,
                                const artifacts::RunDir& run_dir);

// config.yaml, overrides.yaml, inputs.yaml, assumptions.md, env.json and what Hydra
// leaves in hydra.output_subdir, and piped input of the workload, of the `command`th
// command of the run. Files that exist, because the run is resumed, are kept.
Status WriteRunFiles(const RunSetup& setup, const artifacts::RunDir& run_dir,
                     size_t command, os::ProcessRunner& processes);

// Files named by arguments that were written or removed since inputs.yaml was written are
// outputs there from now on.
Status RecordOutputs(const artifacts::RunDir& run_dir, size_t command);

}  // namespace ridgeline::app
