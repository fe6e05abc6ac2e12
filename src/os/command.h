// A program to run. A list of words, never a shell command line; the printable form is
// for users and for cmd.txt.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::os {

struct Command {
  // argv[0] with a slash is a path relative to `directory`; otherwise it is searched in
  // PATH.
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;  // Added to our own.
  std::filesystem::path directory;  // Working directory; empty: the current one.

  // One line that can be pasted into a shell:
  //   cd /data && HF_HOME=/models ./serve --port 80
  // Values of variables that look like secrets are omitted, TOKEN="$TOKEN", as are those
  // of arguments: --token REDACTED.
  std::string ToShellString() const;

  bool operator==(const Command&) const = default;
};

// One word quoted for a POSIX shell, only if necessary.
std::string ShellQuoted(std::string_view word);

// The absolute path of the executable of `command`. kNotFound if there is none,
// kCannotStart if it is not executable.
Result<std::filesystem::path> FindProgram(const Command& command);

// The same for a name searched in our own PATH.
Result<std::filesystem::path> FindProgram(const std::string& name);

// A helper program of `ridgeline`: next to it or, once installed, in
// ../libexec/ridgeline. Empty: this build has no such program.
std::optional<std::filesystem::path> FindOwnProgram(std::string_view name);

// Replaces this process by the program (exec), keeping files, signals and PID. Returns
// only on failure: kNotFound, kCannotStart.
Error ReplaceProcess(const Command& command);

}  // namespace ridgeline::os
