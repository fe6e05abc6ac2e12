#include "os/scratch_directory.h"

#include <cstdlib>

#include "os/env.h"
#include "os/files.h"
#include "os/system_error.h"

namespace ridgeline::os {

namespace fs = std::filesystem;

fs::path TemporaryDirectory() {
  const std::string given = GetEnv("TMPDIR").value_or("");
  return given.empty() ? "/tmp" : given;
}

Result<ScratchDirectory> ScratchDirectory::Make(const std::string& name) {
  std::string path = TemporaryDirectory() / (name + "-XXXXXX");
  if (mkdtemp(path.data()) == nullptr) return SystemError(path, errno);
  ScratchDirectory made{path};
  RIDGELINE_TRY(made.path_, RealPath(path));
  return made;
}

ScratchDirectory::ScratchDirectory(ScratchDirectory&& other) noexcept
    : path_(std::move(other.path_)) {
  other.path_.clear();
}

ScratchDirectory::~ScratchDirectory() {
  // Leftovers are in a directory that is cleaned up by the system.
  if (!path_.empty()) static_cast<void>(RemoveAll(path_));
}

}  // namespace ridgeline::os
