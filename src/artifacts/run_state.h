#pragma once

#include <filesystem>

#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "base/result.h"

namespace ridgeline::artifacts {

// The manifest as it stands now, in `root`. One that says "running" while no process
// holds the lock of its directory was left by a run that was killed together with the
// process that was to say so: it is AsKilled. Of a run on another machine only its lock
// is known, and only if that machine shares it; without a lock its manifest is believed.
Manifest AsItStands(Manifest manifest, const std::filesystem::path& root);

// Reads the manifest of a run directory, as it stands now. kNotFound: there is none.
Result<Manifest> ReadManifestOf(const RunDir& run_dir);

}  // namespace ridgeline::artifacts
