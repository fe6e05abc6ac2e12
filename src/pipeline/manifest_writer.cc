#include "pipeline/manifest_writer.h"

#include "os/files.h"

namespace ridgeline::pipeline {

Status ManifestWriter::Save() const {
  RIDGELINE_RETURN_IF_ERROR(os::WriteFileAtomically(
      run_dir_.killed_manifest(), ToJson(artifacts::AsKilled(manifest_))));
  return os::WriteFileAtomically(run_dir_.manifest(), ToJson(manifest_));
}

Status ManifestWriter::Finish() const {
  RIDGELINE_RETURN_IF_ERROR(Save());
  return os::RemoveAll(run_dir_.killed_manifest());
}

}  // namespace ridgeline::pipeline
