#include "artifacts/run_state.h"

#include <utility>

#include "os/directory_lock.h"
#include "os/env.h"
#include "os/files.h"

namespace ridgeline::artifacts {
namespace {

bool IsActive(const Manifest& manifest, const std::filesystem::path& root) {
  const Result<std::string> host = os::HostName();
  const bool is_here = host.ok() && host.value() == manifest.host;
  const Result<bool> locked = os::DirectoryLock::IsHeld(root);
  if (locked.ok()) return locked.value() || !is_here;
  return !is_here || os::IsProcessAlive(manifest.pid);
}

}  // namespace

Manifest AsItStands(Manifest manifest, const std::filesystem::path& root) {
  if (manifest.state != State::kRunning || IsActive(manifest, root)) return manifest;
  return AsKilled(std::move(manifest));
}

Result<Manifest> ReadManifestOf(const RunDir& run_dir) {
  RIDGELINE_TRY(const std::string text, os::ReadFile(run_dir.manifest()));
  RIDGELINE_TRY(Manifest manifest, ParseManifest(text, run_dir.manifest().string()));
  return AsItStands(std::move(manifest), run_dir.root());
}

}  // namespace ridgeline::artifacts
