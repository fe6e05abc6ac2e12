// Provenance of a run: everything outside the configuration that can affect its results.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "hardware/gpu.h"
#include "hardware/machine.h"
#include "hardware/permissions.h"
#include "hardware/tools.h"
#include "os/process_runner.h"

namespace ridgeline::artifacts {

// Git state of a directory.
struct GitState {
  std::string reason;                 // Empty: known. Else why nothing is.
  std::optional<std::string> commit;  // Nothing before the first one.
  std::optional<std::string> branch;  // Nothing: detached.
  int changed_files = 0;              // Tracked ones that differ from the commit.
  int untracked_files = 0;            // A directory of nothing else counts once.

  bool known() const { return reason.empty(); }
  bool dirty() const { return changed_files > 0; }
};

// From what `git status --porcelain=v2 --branch` prints.
GitState ParseGitStatus(std::string_view status);

// Changes nothing in the repository, not even git's own caches.
GitState ReadGitState(os::ProcessRunner& processes,
                      const std::filesystem::path& directory);

// A library that may be built in.
struct LibraryVersion {
  std::optional<std::string> version;
  std::string reason;  // When there is none.
};

struct Variables {
  std::map<std::string, std::string> kept;
  int left_out = 0;  // How many others there were.
};

struct Provenance {
  std::string ridgeline_version;
  std::string time;  // When it was collected; ISO 8601 with offset.
  hardware::Machine machine;
  hardware::Limits limits;
  hardware::Permissions permissions;
  hardware::GpuSurvey gpus;
  hardware::Tools tools;
  LibraryVersion libtorch;
  GitState git;
  Variables variables;
};

// Keeps only variables known to affect performance, and none whose name looks like a
// secret.
Variables KeepKnownVariables(const std::map<std::string, std::string>& environment);

struct ProvenanceRequest {
  std::string ridgeline_version;
  std::string time;
  std::filesystem::path directory;  // Git state is read here; empty: not read.
  std::map<std::string, std::string> environment;
  LibraryVersion libtorch = {.reason = "not part of this build"};
  hardware::ToolSearch search;
  std::string nvml_library = hardware::kNvmlLibrary;
};

// Queries everything once, the slow parts in parallel.
Provenance CollectProvenance(os::ProcessRunner& processes,
                             const ProvenanceRequest& request);

}  // namespace ridgeline::artifacts
