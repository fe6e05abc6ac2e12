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
  std::string reason;                 // Empty: known. Otherwise why not.
  std::optional<std::string> commit;  // Empty before the first commit.
  std::optional<std::string> branch;  // Empty: detached.
  int changed_files = 0;              // Tracked files that differ from the commit.
  int untracked_files = 0;            // A fully untracked directory counts once.

  bool known() const { return reason.empty(); }
  bool dirty() const { return changed_files > 0; }
};

// Parses the output of `git status --porcelain=v2 --branch`.
GitState ParseGitStatus(std::string_view status);

// Changes nothing in the repository, not even git's caches.
GitState ReadGitState(os::ProcessRunner& processes,
                      const std::filesystem::path& directory);

// An optional library.
struct LibraryVersion {
  std::optional<std::string> version;
  std::string reason;  // If there is no version.
};

struct Variables {
  std::map<std::string, std::string> kept;
  int left_out = 0;  // Number of other variables.
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

// Keeps only variables known to affect performance, except those whose name looks like a
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
