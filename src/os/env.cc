#include "os/env.h"

#include <limits.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

namespace ridgeline::os {

std::optional<std::string> GetEnv(const std::string& name) {
  // This program never sets variables, so reading them is safe in any thread.
  const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
  if (value == nullptr) return std::nullopt;
  return value;
}

std::map<std::string, std::string> Environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos)
      continue;  // Not a variable: execve accepts anything.
    // The first of two equal names wins, as in getenv.
    variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

Result<std::string> HostName() {
  std::array<char, HOST_NAME_MAX + 1> name = {};
  if (::gethostname(name.data(), name.size()) != 0) {
    return Error(ErrorCode::kIo, std::string("host name: ") + std::strerror(errno));
  }
  return std::string(name.data());
}

Result<std::filesystem::path> CurrentDirectory() {
  std::error_code error;
  std::filesystem::path path = std::filesystem::current_path(error);
  if (error) return Error(ErrorCode::kIo, "current directory: " + error.message());
  return path;
}

Result<std::filesystem::path> ExecutablePath() {
  std::error_code error;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return Error(ErrorCode::kIo, "path of this program: " + error.message());
  return path;
}

namespace {

int DescriptorOf(Stream stream) {
  switch (stream) {
    case Stream::kInput:
      return STDIN_FILENO;
    case Stream::kOutput:
      return STDOUT_FILENO;
    case Stream::kError:
      return STDERR_FILENO;
  }
  return -1;
}

}  // namespace

bool IsTerminal(Stream stream) { return ::isatty(DescriptorOf(stream)) == 1; }

int TerminalColumns(Stream stream) {
  if (!IsTerminal(stream) || GetEnv("TERM").value_or("dumb") == "dumb") return 0;
  winsize size = {};
  constexpr int kUsual = 80;
  if (::ioctl(DescriptorOf(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return kUsual;
  }
  return size.ws_col;
}

int64_t ProcessId() { return ::getpid(); }

int64_t PeakMemoryBytes() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

bool IsProcessAlive(int64_t pid) {
  return pid > 0 && (::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
}

}  // namespace ridgeline::os
