// The programs of others that we use, and whether they work here.
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

// Nsight Systems writes a raw stream and turns it into a report with a program that it
// expects in a directory next to its own. Without it only the stream is left, and nsys
// still returns 0.
struct NsysImporter {
  // Where nsys looks; nothing if unknown (nsys is a wrapper script).
  std::optional<std::filesystem::path> expected;
  bool is_in_place = false;
  std::optional<std::filesystem::path> elsewhere;  // Where it lies instead.
};

// For an nsys at `nsys`; nothing is run.
NsysImporter FindNsysImporter(const std::filesystem::path& nsys,
                              const SystemFiles& files = SystemFiles());

struct Tool {
  std::string name;
  std::string reason;                         // Empty: usable. Else the problem.
  std::optional<std::filesystem::path> path;  // What PATH leads to, not resolved.
  std::optional<std::string> version;         // "2022.4.2.1-df9881f"
  std::vector<int> version_numbers;           // {2022, 4, 2, 1}; empty: not understood.
  // Where it lies outside of PATH; looked for only when PATH does not have it.
  std::vector<std::filesystem::path> elsewhere;

  bool works() const { return reason.empty(); }
};

struct Tools {
  std::vector<Tool> all;                      // As in ToolNames().
  std::optional<NsysImporter> nsys_importer;  // Nothing without nsys.

  const Tool* Find(std::string_view name) const;
};

// nsys, ncu, git, nvidia-smi, sbatch.
std::vector<std::string> ToolNames();

// The version in what `tool` prints about itself; nothing if it is not there.
std::optional<std::string> ParseToolVersion(std::string_view tool,
                                            std::string_view output);

// The numbers at the beginning: {2022, 4, 2, 1} of "2022.4.2.1-df9881f".
std::vector<int> VersionNumbers(std::string_view version);

// Where the system lets us look; tests look elsewhere.
struct ToolSearch {
  SystemFiles files;
  std::function<Result<std::filesystem::path>(const std::string& name)> find =
      [](const std::string& name) { return os::FindProgram(name); };
  // Tools that are run for their version; the others are only searched for. Nothing: all.
  std::optional<std::set<std::string>> ask;
};

// Runs each tool that is to be asked once, all at the same time.
Tools ProbeTools(os::ProcessRunner& processes, const ToolSearch& search = {});

// Where the installers of others put their programs.

// Every path that a pattern such as "/opt/nvidia/nsight-systems/*/bin/nsys" leads to; a
// "*" stands for any part of one name. Sorted, newest version last.
std::vector<std::filesystem::path> MatchPaths(std::string_view pattern,
                                              const SystemFiles& files);

// Where `tool` is usually installed and PATH often does not lead; newest first.
std::vector<std::filesystem::path> FindOutsideOfPath(std::string_view tool,
                                                     const SystemFiles& files);

}  // namespace ridgeline::hardware
