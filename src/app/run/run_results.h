#pragma once

#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "base/result.h"

namespace ridgeline::app {

// results.sqlite: what the stages of a run measured, read back from what they left; none
// if they left nothing that has rows. What could not be read becomes a note of its stage.
Status WriteResults(artifacts::Manifest& manifest, const artifacts::RunDir& run_dir);

}  // namespace ridgeline::app
