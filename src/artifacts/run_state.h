#pragma once

#include <filesystem>

#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "base/result.h"

namespace ridgeline::artifacts {

// The manifest in `root` in its current state. If it is "running" but no process holds
// the directory's lock, the run was killed together with the process that was to record
// it: the result is AsKilled. For a run on another machine only the lock is known, and
// only if that machine shares it; without a lock its manifest is trusted.
Manifest AsItStands(Manifest manifest, const std::filesystem::path& root);

// Reads the manifest of a run directory in its current state. kNotFound: there is none.
Result<Manifest> ReadManifestOf(const RunDir& run_dir);

}  // namespace ridgeline::artifacts
