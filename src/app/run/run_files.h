// Files written before the first stage of a run.
#pragma once

#include <string>

#include "app/run/run_setup.h"
#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "os/process_runner.h"

namespace ridgeline::app {

// The manifest of a run that has not started.
artifacts::Manifest NewManifest(const RunSetup& setup, const RunOptions& options,
                                const artifacts::RunDir& run_dir);

// Writes the files of the `command`th command of the run: config.yaml, overrides.yaml,
// inputs.yaml, assumptions.md, env.json, Hydra's files in hydra.output_subdir, and piped
// input of the workload. Existing files of a resumed run are kept.
Status WriteRunFiles(const RunSetup& setup, const artifacts::RunDir& run_dir,
                     size_t command, os::ProcessRunner& processes);

// Marks files named by arguments as outputs in inputs.yaml if they were written or
// removed since it was written.
Status RecordOutputs(const artifacts::RunDir& run_dir, size_t command);

}  // namespace ridgeline::app
