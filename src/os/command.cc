#include "os/command.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "base/characters.h"
#include "base/printable.h"
#include "base/secrets.h"
#include "os/env.h"

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

bool IsPlain(char c) {
  constexpr std::string_view kPlain = "%+-./:=@_,";
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         kPlain.find(c) != std::string_view::npos;
}

bool IsFile(const fs::path& path) {
  struct stat info = {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

bool IsExecutable(const fs::path& path) { return ::access(path.c_str(), X_OK) == 0; }

Result<fs::path> CheckPath(const fs::path& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) {
    const bool absent = errno == ENOENT || errno == ENOTDIR;
    return Error(absent ? ErrorCode::kNotFound : ErrorCode::kCannotStart,
                 path.string() + ": " + std::strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) {
    return Error(ErrorCode::kCannotStart, path.string() + ": not a program");
  }
  if (!IsExecutable(path)) {
    return Error(ErrorCode::kCannotStart,
                 path.string() + ": not executable; run chmod +x");
  }
  return path;
}

// Like a shell: a PATH entry that is not executable is skipped, but kept for the error
// message.
Result<fs::path> SearchPath(const std::string& name, const std::string& path,
                            const fs::path& directory) {
  fs::path not_executable;
  size_t begin = 0;
  while (begin <= path.size()) {
    const size_t end = std::min(path.find(':', begin), path.size());
    // An empty entry means the current directory.
    const fs::path candidate = directory / path.substr(begin, end - begin) / name;
    if (IsFile(candidate)) {
      if (IsExecutable(candidate)) return candidate;
      not_executable = candidate;
    }
    begin = end + 1;
  }
  if (!not_executable.empty()) return CheckPath(not_executable);
  return Error(ErrorCode::kNotFound, "no program '" + name + "' found in PATH");
}

bool IsVariableName(std::string_view name) {
  return !name.empty() && !IsDigit(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return IsLetter(c) || IsDigit(c) || c == '_'; });
}

// NAME=value, or NAME="$NAME" if the value must not be printed.
std::string Assigned(const std::string& name, const std::string& value) {
  const std::string shown = ValueWithoutSecrets(name, value);
  if (!IsVariableName(name)) return ShellQuoted(name + "=" + shown);
  return name + "=" + (shown == value ? ShellQuoted(value) : "\"$" + name + "\"");
}

}  // namespace

std::string ShellQuoted(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), IsPlain)) {
    return std::string(word);
  }
  // A terminal would interpret control characters; bash, ksh and zsh read "\x1b" back.
  if (const std::string shown = Printable(word); shown != word) {
    std::string quoted = "$'";
    for (const char c : word) {
      const std::string one = Printable(std::string_view(&c, 1));
      const bool is_quote = c == '\'' || c == '\\';
      quoted += is_quote ? std::string("\\") + c : one;
    }
    return quoted + "'";
  }
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string Command::ToShellString() const {
  std::string line;
  if (!directory.empty()) line += "cd " + ShellQuoted(directory.string()) + " && ";
  // A shell would run an invalid name as a command; `env` accepts any name.
  const bool needs_env =
      std::any_of(environment.begin(), environment.end(),
                  [](const auto& variable) { return !IsVariableName(variable.first); });
  if (needs_env) line += "env ";
  for (const auto& [name, value] : environment) line += Assigned(name, value) + ' ';
  const std::vector<std::string> words = WithoutSecrets(argv);
  for (const std::string& word : words) {
    if (&word != &words.front()) line += ' ';
    // NAME=value at the front would be parsed as an assignment.
    const bool looks_assigned =
        &word == &words.front() && word.find('=') != std::string::npos;
    line += looks_assigned ? "'" + word + "'" : ShellQuoted(word);
  }
  return line;
}

Result<fs::path> FindProgram(const Command& command) {
  if (command.argv.empty() || command.argv[0].empty()) {
    return Error(ErrorCode::kNotFound, "the command is empty");
  }
  const std::string& name = command.argv[0];
  fs::path directory = command.directory;
  if (!directory.is_absolute()) {
    RIDGELINE_TRY(const fs::path here, CurrentDirectory());
    directory = here / directory;
  }
  if (name.find('/') != std::string::npos) {
    return CheckPath((directory / name).lexically_normal());
  }
  const auto given = command.environment.find("PATH");
  const std::string path = given != command.environment.end()
                               ? given->second
                               : GetEnv("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  return SearchPath(name, path, directory);
}

Result<fs::path> FindProgram(const std::string& name) {
  return FindProgram(Command{.argv = {name}, .environment = {}, .directory = {}});
}

}  // namespace ridgeline::os
