// ridgeline-serve: the runs of a directory, for a browser. `ridgeline serve` checks the
// command line and then executes it.
//
//   ridgeline-serve DIRECTORY HOST PORT
#include <charconv>
#include <exception>
#include <ostream>
#include <string>
#include <vector>

#include "artifacts/find_runs.h"
#include "base/plural.h"
#include "os/files.h"
#include "os/signal_watch.h"
#include "os/standard_streams.h"
#include "serve/http_server.h"
#include "serve/site.h"

namespace {

using ridgeline::Error;
using ridgeline::ErrorCode;
using ridgeline::Ok;
using ridgeline::Result;
using ridgeline::Status;
namespace os = ridgeline::os;
namespace artifacts = ridgeline::artifacts;
namespace serve = ridgeline::serve;

std::string UrlOf(const std::string& host, int port) {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return "http://" + (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port) +
         "/";
}

Status Serve(const std::string& directory, const std::string& host, int port,
             os::StandardStreams& streams) {
  RIDGELINE_TRY(const std::filesystem::path root, os::RealPath(directory));
  if (!os::IsDirectory(root)) {
    return Error(ErrorCode::kConfig, directory + ": not a directory");
  }
  const bool is_loopback = serve::IsLoopback(host);
  const serve::Site site(
      root, is_loopback ? serve::Callers::kLoopbackNames : serve::Callers::kAnyName);
  const os::SignalWatch watch;
  RIDGELINE_TRY(serve::HttpServer server, serve::HttpServer::Bind(site, host, port));
  if (!is_loopback) {
    streams.err << "ridgeline: warning: anyone who can reach " << host
                << " can read all data of these runs\n";
  }
  const size_t runs = artifacts::FindRuns(root).paths.size();
  const std::string url = UrlOf(host, server.port());
  streams.err << "ridgeline: serving " << directory << " ("
              << ridgeline::Plural(runs, "run") << ") at " << url << std::endl;
  streams.out << url << std::endl;
  RIDGELINE_RETURN_IF_ERROR(streams.Flush());
  return server.ServeUntil(watch);
}

Status RealMain(const std::vector<std::string>& words, os::StandardStreams& streams) {
  int port = 0;
  if (words.size() == 3) {
    const std::string& text = words[2];
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), port);
    if (error == std::errc() && end == text.data() + text.size()) {
      return Serve(words[0], words[1], port, streams);
    }
  }
  return Error(ErrorCode::kConfig, "usage: ridgeline-serve DIRECTORY HOST PORT");
}

}  // namespace

int main(int argc, char** argv) {
  os::StandardStreams streams;
  try {
    const Status status = RealMain({argv + 1, argv + argc}, streams);
    if (status.ok()) return 0;
    streams.err << "ridgeline: " << status.error().message() << '\n';
    return status.error().code() == ErrorCode::kIo ? 1 : 2;
  } catch (const std::exception& e) {
    streams.err << "ridgeline: internal error: " << e.what() << '\n';
    return 1;
  }
}
