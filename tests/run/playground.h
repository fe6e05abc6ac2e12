// A directory of its own for each test, and the built program running in it.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "artifacts/manifest.h"

namespace ridgeline::run {

// A program with ranges of every kind; empty where it was built without NVTX's headers.
#ifdef RIDGELINE_NVTX_PROBE
inline constexpr const char* kProbe = RIDGELINE_NVTX_PROBE;
#else
inline constexpr const char* kProbe = "";
#endif

struct ProgramEnd {
  int exit_code = -1;  // As a shell tells it: 128 + n after signal n.
  std::string out;
  std::string err;
  int64_t peak_rss_bytes = 0;  // Of it or of what it started, whichever was larger.
};

class Playground : public testing::Test {
 protected:
  Playground();
  ~Playground() override;

  const std::filesystem::path& directory() const { return directory_; }

  // Of the programs that are started from now on.
  void SetPath(std::string path) { path_ = std::move(path); }
  void AddVariable(std::string assignment) { more_.push_back(std::move(assignment)); }

  // Runs `ridgeline` here and waits for it.
  ProgramEnd Ridgeline(const std::vector<std::string>& arguments);

  // Starts it and does not wait.
  pid_t Start(const std::vector<std::string>& arguments);
  ProgramEnd Wait(pid_t program);

  // What the run in `run` (default: the only one) says about itself.
  artifacts::Manifest ManifestOf(const std::filesystem::path& run);
  std::filesystem::path OnlyRun();
  std::vector<std::filesystem::path> Runs();

  // Everything that any program which we started has started in turn, however far
  // removed: they all inherit a mark in their environment.
  std::vector<pid_t> Descendants() const;
  void WaitForNoDescendants() const;

  void WaitForFile(const std::filesystem::path& path) const;

  std::string ReadFile(const std::filesystem::path& path) const;
  void WriteFile(const std::filesystem::path& path, const std::string& text) const;
  void MakeScript(const std::string& name, const std::string& lines) const;

  // Overrides for a run of this program alone, without a profiler, once.
  static std::vector<std::string> Direct(const std::vector<std::string>& command);

 private:
  std::filesystem::path directory_;
  std::filesystem::path talk_;  // Where the program's output goes.
  std::string mark_;
  std::string path_;
  std::vector<std::string> more_;  // Of the environment: "NAME=value".
  int started_ = 0;
  std::vector<std::pair<pid_t, int>> running_;
};

// The first two columns of a query, a text and a number.
std::vector<std::pair<std::string, int64_t>> RowsOf(const std::filesystem::path& database,
                                                    const std::string& sql);

// Whether a program is in PATH.
bool IsInstalled(const std::string& program);

// "[a,'b c']": a command as the value of pipeline.workload.command.
std::string ListOverride(const std::vector<std::string>& words);

std::optional<artifacts::State> StateOf(const artifacts::Manifest& manifest,
                                        const std::string& stage);

}  // namespace ridgeline::run
