// Layout of a run directory. File names of a run are defined only here.
//
// Everything outside tmp/ is complete at any time: files are written under a temporary
// name and renamed, and a stage works in tmp/<stage>, which is moved into place when the
// stage ends.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/owned_directory.h"

namespace ridgeline::artifacts {

class RunDir {
 public:
  explicit RunDir(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }
  // For moving and deleting: the manifest makes everything below the root ours.
  os::OwnedDirectory owned() const { return os::OwnedDirectory(root_); }
  std::string id() const { return root_.filename().string(); }

  std::filesystem::path manifest() const { return root_ / "manifest.json"; }
  // One per command that added stages to the run: config.yaml, config-2.yaml, ...
  std::filesystem::path config(size_t command = 1) const {
    return root_ / OfCommand("config", command, ".yaml");
  }
  std::filesystem::path overrides(size_t command = 1) const {
    return root_ / OfCommand("overrides", command, ".yaml");
  }
  std::filesystem::path environment() const { return root_ / "env.json"; }
  std::filesystem::path inputs(size_t command = 1) const {
    return root_ / OfCommand("inputs", command, ".yaml");
  }
  std::filesystem::path assumptions(size_t command = 1) const {
    return root_ / OfCommand("assumptions", command, ".md");
  }

  // Standard input of the workload, if it was piped.
  static constexpr const char* kPipedInput = "stdin.txt";
  std::filesystem::path piped_input() const { return root_ / kPipedInput; }

  // All measurements, for SQL.
  std::filesystem::path results() const { return root_ / "results.sqlite"; }

  // The reports, built from the artifacts of all stages.
  std::filesystem::path report_html() const { return root_ / "report.html"; }
  std::filesystem::path stakeholder_summary() const {
    return root_ / "stakeholder_summary.md";
  }
  std::filesystem::path metrics_json() const { return root_ / "metrics.json"; }
  std::filesystem::path report_markdown() const { return root_ / "report.md"; }
  std::filesystem::path kernels_markdown() const { return root_ / "kernels.md"; }

  // Reports that rebuilding a damaged run would have replaced by less complete ones.
  std::filesystem::path earlier_reports() const { return root_ / "earlier_reports"; }

  // MFU and MBU; needs both the static cost and measured times.
  std::filesystem::path efficiency_json() const { return root_ / "efficiency.json"; }
  std::filesystem::path efficiency_markdown() const { return root_ / "efficiency.md"; }

  // Peak FLOP/s and bandwidth of the device, with their sources.
  std::filesystem::path ceilings() const { return root_ / "ceilings.json"; }

  std::filesystem::path stage(std::string_view name) const { return root_ / name; }

  std::filesystem::path scratch() const { return root_ / "tmp"; }
  // Directory of a stage while it runs.
  std::filesystem::path stage_scratch(std::string_view name) const {
    return scratch() / name;
  }
  // Output of a profiled workload, and its configuration.
  std::filesystem::path workload_scratch(std::string_view stage) const {
    return scratch() / "workload" / stage;
  }
  // The manifest that replaces the real one if we are killed.
  std::filesystem::path killed_manifest() const { return scratch() / "manifest.json"; }
  // Reserved space, freed when the disk is full so that the manifest can report it.
  std::filesystem::path reserve() const { return scratch() / "reserve"; }

  // All of the above directly in the root, except the manifest.
  std::vector<std::filesystem::path> OwnFiles() const;

 private:
  static std::string OfCommand(std::string name, size_t command, const char* ending) {
    if (command > 1) name += "-" + std::to_string(command);
    return name + ending;
  }

  std::filesystem::path root_;
};

// Claims `wanted` as a run directory by writing `manifest_json` into it. A directory with
// a manifest belongs to another run: then "-2", "-3", ... is tried, safely against other
// processes that do the same concurrently. Hence the resulting directory can differ from
// `wanted`; `manifest_json` is called with it and must record it.
//
// If the directory is a symbolic link, the result is its target.
//
// A directory that does not exist is created for its owner only (mode 0700): artifacts of
// profilers contain the environment.
//
// A directory without a manifest may contain user files. It is an error if any of them
// has a name that a run uses: `RunDir`'s own or one of `also_written` (stages, Hydra's
// files). In that case nothing in it was touched. Directories that a failure would leave
// empty are removed again.
Result<RunDir> ClaimRunDir(
    const std::filesystem::path& wanted, const std::vector<std::string>& also_written,
    const std::function<std::string(const RunDir&)>& manifest_json);

}  // namespace ridgeline::artifacts
