#include "collectors/nvtx/dry_run.h"

#include "collectors/nvtx/event_file.h"
#include "os/env.h"
#include "os/files.h"

namespace ridgeline::nvtx {

namespace fs = std::filesystem;

std::optional<fs::path> FindInjectionLibrary() {
  constexpr const char* kLibrary = "libridgeline-nvtx.so";
  const Result<fs::path> us = os::ExecutablePath();
  if (!us.ok()) return std::nullopt;
  const fs::path bin = us.value().parent_path();
  for (const fs::path& place :
       {bin / kLibrary, bin.parent_path() / "libexec/ridgeline" / kLibrary}) {
    if (os::IsRegularFile(place)) return place;
  }
  return std::nullopt;
}

Error NoInjectionLibrary() {
  return {ErrorCode::kUnsupported,
          "this build cannot list NVTX ranges: it was built without the NVTX headers, so "
          "libridgeline-nvtx.so is missing (scripts/setup.sh nsight installs them)"};
}

os::Command UnderInjection(os::Command command, const fs::path& library,
                           const fs::path& directory) {
  command.environment[kInjectionVariable] = library.string();
  command.environment[kDirectoryVariable] = directory.string();
  return command;
}

Result<Listing> ReadListing(const fs::path& directory) {
  RIDGELINE_TRY(const auto entries, os::ListDirectory(directory));
  std::vector<ProcessEvents> processes;
  for (const os::DirectoryEntry& entry : entries) {
    // A killed process may have left a partial file under another name.
    if (!entry.name.ends_with(kEventFileEnding)) continue;
    const fs::path path = directory / entry.name;
    RIDGELINE_TRY(const std::string text, os::ReadFile(path));
    RIDGELINE_TRY(ProcessEvents events, ParseProcessEvents(text, path.string()));
    processes.push_back(std::move(events));
  }
  return Merge(processes);
}

}  // namespace ridgeline::nvtx
