#pragma once

#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "base/result.h"

namespace ridgeline::pipeline {

// Keeps manifest.json up to date. Next to it is the manifest to be used if we are killed
// (os::LastWill puts it in place), which is always written first. Secrets are removed
// from the manifest itself before anything is written, so that no reader can show them.
class ManifestWriter {
 public:
  ManifestWriter(artifacts::RunDir run_dir, artifacts::Manifest manifest)
      : run_dir_(std::move(run_dir)), manifest_(std::move(manifest)) {}

  artifacts::Manifest& manifest() { return manifest_; }
  const artifacts::RunDir& run_dir() const { return run_dir_; }

  // Reserves some space for the manifest of a run that fills the disk.
  Status Begin();

  Status Save();

  // The run has ended. Even if this fails, the manifest is not left as "running".
  Status Finish();

 private:
  Status SaveOnce() const;
  Status SaveInPlaceOfKilled() const;

  artifacts::RunDir run_dir_;
  artifacts::Manifest manifest_;
};

}  // namespace ridgeline::pipeline
