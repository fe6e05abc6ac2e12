// The external programs we use, and whether they work here.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hardware/system_files.h"
#include "os/command.h"
#include "os/process_runner.h"

namespace ridgeline::hardware {

// Nsight Systems writes a raw stream and converts it to a report with a program it
// expects in a directory next to its own. Without that program only the stream remains,
// and nsys still returns 0.
struct NsysImporter {
  // Where nsys looks; empty if unknown (nsys is a wrapper script).
  std::optional<std::filesystem::path> expected;
  bool is_in_place = false;
  std::optional<std::filesystem::path> elsewhere;  // Its actual location.
};

// For the nsys at this path; runs nothing.
NsysImporter FindNsysImporter(const std::filesystem::path& nsys,
                              const SystemFiles& files = SystemFiles());

struct Tool {
  std::string name;
  std::string reason;                         // Empty: usable. Otherwise the problem.
  std::optional<std::filesystem::path> path;  // As found in PATH, not resolved.
  std::optional<std::string> version;         // "2022.4.2.1-df9881f"
  std::vector<int> version_numbers;           // {2022, 4, 2, 1}; empty: not parsed.
  // Locations outside PATH; searched only if it is not in PATH.
  std::vector<std::filesystem::path> elsewhere;

  bool works() const { return reason.empty(); }
};

struct Tools {
  std::vector<Tool> all;                      // Same order as ToolNames().
  std::optional<NsysImporter> nsys_importer;  // Empty without nsys.

  const Tool* Find(std::string_view name) const;
};

// nsys, ncu, git, nvidia-smi, sbatch.
std::vector<std::string> ToolNames();

// The version in the output of `tool`; empty if not found.
std::optional<std::string> ParseToolVersion(std::string_view tool,
                                            std::string_view output);

// The leading numbers: {2022, 4, 2, 1} for "2022.4.2.1-df9881f".
std::vector<int> VersionNumbers(std::string_view version);

// Where to search; tests use other places.
struct ToolSearch {
  SystemFiles files;
  std::function<Result<std::filesystem::path>(const std::string& name)> find =
      [](const std::string& name) { return os::FindProgram(name); };
  // Tools that are run to get their version; the others are only located. Empty: all.
  std::optional<std::set<std::string>> ask;
};

// Runs each tool to be queried once, all in parallel.
Tools ProbeTools(os::ProcessRunner& processes, const ToolSearch& search = {});

// Installation paths of external programs.

// All paths that match a pattern such as "/opt/nvidia/nsight-systems/*/bin/nsys"; "*"
// matches any part of one name. Sorted, newest version last.
std::vector<std::filesystem::path> MatchPaths(std::string_view pattern,
                                              const SystemFiles& files);

// Usual installation paths of `tool` that are often not in PATH; newest first.
std::vector<std::filesystem::path> FindOutsideOfPath(std::string_view tool,
                                                     const SystemFiles& files);

}  // namespace ridgeline::hardware
