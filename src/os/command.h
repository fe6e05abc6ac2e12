// A program before it runs. It is a list of words, never a line for a shell; the
// printable form is for people and for cmd.txt.
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
  // argv[0] with a slash is a path, relative to `directory`; else it is looked for in
  // PATH.
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;  // Added to ours.
  std::filesystem::path directory;                 // Where it runs; empty: where we are.

  // One line that can be pasted into a shell:
  //   cd /data && HF_HOME=/models ./serve --port 80
  // Values of variables that look like secrets stay out, TOKEN="$TOKEN", as do those of
  // arguments: --token REDACTED.
  std::string ToShellString() const;

  bool operator==(const Command&) const = default;
};

// One word as a POSIX shell reads it back: quoted only if it must be.
std::string ShellQuoted(std::string_view word);

// The file that `command` starts; absolute. kNotFound if there is none, kCannotStart
// if there is one that cannot be executed.
Result<std::filesystem::path> FindProgram(const Command& command);

// The same for a name that is looked for in our own PATH.
Result<std::filesystem::path> FindProgram(const std::string& name);

// A program of ours that `ridgeline` starts: next to it or, once installed, in
// ../libexec/ridgeline. Nothing: this build has none of that name.
std::optional<std::filesystem::path> FindOwnProgram(std::string_view name);

// This process becomes the program, with our files, signals and number. Returns only if
// it does not: kNotFound, kCannotStart.
Error ReplaceProcess(const Command& command);

}  // namespace ridgeline::os
