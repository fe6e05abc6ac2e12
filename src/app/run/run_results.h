#pragma once

#include "app/import/collected.h"
#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "base/result.h"
#include "results/result_store.h"

namespace ridgeline::app {

// What the stages of a run measured, read back from what they left. What could not be
// read becomes a note of its stage.
Collected CollectResults(artifacts::Manifest& manifest, const artifacts::RunDir& run_dir);

// results.sqlite; none if nothing was measured.
Status WriteResults(const results::ResultStore& store, const artifacts::RunDir& run_dir);

}  // namespace ridgeline::app
