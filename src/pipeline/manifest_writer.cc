#include "pipeline/manifest_writer.h"

#include "os/files.h"
#include "os/stale_files.h"

namespace ridgeline::pipeline {

Status ManifestWriter::Begin() {
  // May have been cleaned up if the run is resumed.
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(run_dir_.scratch()));
  RIDGELINE_RETURN_IF_ERROR(os::RemoveStaleFiles(run_dir_.root()));
  RIDGELINE_RETURN_IF_ERROR(os::RemoveStaleFiles(run_dir_.scratch()));
  constexpr size_t kReserveBytes = size_t{128} << 10;  // Several large manifests.
  RIDGELINE_RETURN_IF_ERROR(
      os::ReplaceFileUnsynced(run_dir_.reserve(), std::string(kReserveBytes, ' ')));
  return Save();
}

Status ManifestWriter::Save() {
  artifacts::RemoveSecrets(manifest_);
  Status saved = SaveOnce();
  if (saved.ok() || !os::Exists(run_dir_.reserve())) return saved;
  RIDGELINE_RETURN_IF_ERROR(run_dir_.owned().Remove(run_dir_.reserve()));
  return SaveOnce();
}

Status ManifestWriter::SaveOnce() const {
  // Takes effect only if this process is killed.
  RIDGELINE_RETURN_IF_ERROR(os::ReplaceFileUnsynced(
      run_dir_.killed_manifest(), ToJson(artifacts::AsKilled(manifest_))));
  return os::WriteFileAtomically(run_dir_.manifest(), ToJson(manifest_));
}

// If there is no space for another file, the manifest prepared for a kill replaces the
// "running" one; the space this frees may be enough for the actual manifest.
Status ManifestWriter::SaveInPlaceOfKilled() const {
  RIDGELINE_RETURN_IF_ERROR(
      run_dir_.owned().Replace(run_dir_.killed_manifest(), run_dir_.manifest()));
  return os::WriteFileAtomically(run_dir_.manifest(), ToJson(manifest_));
}

Status ManifestWriter::Finish() {
  Status saved = Save();
  if (!saved.ok()) saved = SaveInPlaceOfKilled();
  RIDGELINE_RETURN_IF_ERROR(std::move(saved));
  RIDGELINE_RETURN_IF_ERROR(run_dir_.owned().Remove(run_dir_.reserve()));
  return run_dir_.owned().Remove(run_dir_.killed_manifest());
}

}  // namespace ridgeline::pipeline
