#include <charconv>
#include <optional>
#include <ostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/flags.h"
#include "os/command.h"
#include "os/files.h"

namespace ridgeline::app {
namespace {

constexpr Flag kServeFlags[] = {
    {"--host", "", Flag::Takes::kValue, "HOST",
     "address to listen on (default: 127.0.0.1)"},
    {"--port", "", Flag::Takes::kValue, "N", "port (default: 8080); 0: any free port"},
    {"--help", "-h", Flag::Takes::kNothing, "", "show this help"},
};

constexpr const char* kServeUsage =
    "ridgeline serve [DIR] [--host 127.0.0.1] [--port 8080]\n"
    "  Serves the runs in DIR (tmp/profile-output if it exists, else .) to a browser: a\n"
    "  list to filter and sort, their reports, and side-by-side comparison. Read-only,\n"
    "  and reachable only from this machine unless --host is given. The address goes\n"
    "  to stdout; Ctrl-C stops the server.\n";

// Default parent directory of runs (`hydra.run.dir` in conf/config.yaml).
constexpr const char* kUsualDirectory = "tmp/profile-output";

Result<std::string> DirectoryOf(const ParsedFlags& flags) {
  if (flags.words.size() > 1) {
    return Error(ErrorCode::kConfig, "serve takes one directory; unexpected argument '" +
                                         flags.words[1] + "'");
  }
  if (flags.words.empty()) {
    return std::string(os::IsDirectory(kUsualDirectory) ? kUsualDirectory : ".");
  }
  if (!os::IsDirectory(flags.words[0])) {
    return Error(ErrorCode::kNotFound,
                 flags.words[0] + (os::Exists(flags.words[0]) ? ": not a directory"
                                                              : ": no such directory"));
  }
  return flags.words[0];
}

Result<std::string> HostOf(const ParsedFlags& flags) {
  if (!flags.Has("--host")) return std::string("127.0.0.1");
  // The library would take an empty host for all interfaces.
  if (flags.Get("--host").empty()) {
    return Error(ErrorCode::kConfig,
                 "--host: expected a host name or address, got nothing");
  }
  return flags.Get("--host");
}

Result<std::string> PortOf(const ParsedFlags& flags) {
  if (!flags.Has("--port")) return std::string("8080");
  const std::string text = flags.Get("--port");
  int port = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  constexpr int kPortMax = 65535;
  if (error != std::errc() || end != text.data() + text.size() || port < 0 ||
      port > kPortMax) {
    return Error(ErrorCode::kConfig,
                 "--port: expected a number from 0 to 65535, got '" + text + "'");
  }
  return std::to_string(port);
}

}  // namespace

ExitStatus ServeCommand(std::span<const std::string> arguments, const Streams& streams) {
  const Result<ParsedFlags> flags = ParseFlags(kServeFlags, arguments);
  if (!flags.ok()) return Fail(streams, flags.error());
  if (flags.value().Has("--help")) {
    streams.out << kServeUsage << FlagsHelp(kServeFlags);
    return ExitStatus::kDone;
  }
  const Result<std::string> directory = DirectoryOf(flags.value());
  if (!directory.ok()) return Fail(streams, directory.error());
  const Result<std::string> port = PortOf(flags.value());
  if (!port.ok()) return Fail(streams, port.error());
  const Result<std::string> host = HostOf(flags.value());
  if (!host.ok()) return Fail(streams, host.error());
  const auto program = os::FindOwnProgram("ridgeline-serve");
  if (!program) {
    return Fail(
        streams,
        Error(ErrorCode::kUnsupported,
              "ridgeline-serve not found beside ridgeline or in ../libexec/ridgeline"));
  }
  return Fail(streams, os::ReplaceProcess({.argv = {program->string(), directory.value(),
                                                    host.value(), port.value()},
                                           .environment = {},
                                           .directory = {}}));
}

}  // namespace ridgeline::app
