#include <utility>

#include "artifacts/provenance.h"
#include "os/env.h"
#include "os/files.h"

namespace ridgeline::artifacts {
namespace {

// For a large repository on a slow disk; a run must not wait longer for its commit.
constexpr double kTimeoutS = 20;

// Removes and returns the first line.
std::string_view TakeLine(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// "fatal: not a git repository (or any of the parent directories): .git"
std::string Complaint(std::string_view output) {
  constexpr std::string_view kFatal = "fatal: ";
  while (!output.empty()) {
    const std::string_view line = TakeLine(output);
    if (line.starts_with(kFatal)) return std::string(line.substr(kFatal.size()));
  }
  return {};
}

std::optional<std::string> KnownName(std::string_view name) {
  if (name.empty() || name.starts_with('(')) return std::nullopt;  // "(detached)"
  return std::string(name);
}

// Searches like git does, so that git is not started outside a repository.
bool MayBeInRepository(const std::filesystem::path& directory) {
  if (os::GetEnv("GIT_DIR")) return true;
  const Result<std::filesystem::path> real = os::RealPath(directory);
  if (!real.ok() || os::Exists(real.value() / "HEAD")) return true;  // A bare repository.
  for (std::filesystem::path at = real.value();; at = at.parent_path()) {
    if (os::Exists(at / ".git")) return true;
    if (at == at.parent_path()) return false;
  }
}

}  // namespace

GitState ParseGitStatus(std::string_view status) {
  constexpr std::string_view kCommit = "# branch.oid ";
  constexpr std::string_view kBranch = "# branch.head ";
  GitState state;
  bool has_header = false;
  while (!status.empty()) {
    const std::string_view line = TakeLine(status);
    if (line.starts_with(kCommit)) {
      has_header = true;
      state.commit = KnownName(line.substr(kCommit.size()));
    } else if (line.starts_with(kBranch)) {
      state.branch = KnownName(line.substr(kBranch.size()));
    } else if (line.starts_with("1 ") || line.starts_with("2 ") ||
               line.starts_with("u ")) {
      ++state.changed_files;  // Changed, renamed, in conflict.
    } else if (line.starts_with("? ")) {
      ++state.untracked_files;
    }
  }
  if (!has_header) state.reason = "unexpected output of git status";
  return state;
}

GitState ReadGitState(os::ProcessRunner& processes,
                      const std::filesystem::path& directory) {
  GitState state;
  if (!MayBeInRepository(directory)) {
    state.reason = "not a git repository (or any of the parent directories)";
    return state;
  }
  // A file system monitor would be a process left behind by git.
  const os::Command command = {
      .argv = {"git", "-c", "core.fsmonitor=false", "-C", directory.string(), "status",
               "--porcelain=v2", "--branch"},
      .environment = {{"LC_ALL", "C"}, {"GIT_OPTIONAL_LOCKS", "0"}}};
  // The complete output: the commit is at its head, and the runner keeps only the tail.
  std::string output;
  const Result<os::ProcessResult> ran = processes.Run(
      command, {.on_output = [&output](std::string_view bytes) { output += bytes; },
                .timeout_s = kTimeoutS,
                .grace_s = 1});
  if (!ran.ok()) {
    state.reason = ran.error().message();
    return state;
  }
  if (ran.value().ok()) return ParseGitStatus(output);
  state.reason = Complaint(output);
  if (state.reason.empty()) state.reason = "git status: " + os::Describe(ran.value());
  return state;
}

}  // namespace ridgeline::artifacts
