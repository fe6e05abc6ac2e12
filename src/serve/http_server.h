#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "os/signal_watch.h"
#include "serve/site.h"

namespace ridgeline::serve {

// HTTP in front of a Site.
class HttpServer {
 public:
  // From here on it is reachable at `host`; port 0 is any free one.
  static Result<HttpServer> Bind(const Site& site, const std::string& host, int port);

  HttpServer(HttpServer&&) noexcept;
  ~HttpServer();

  int port() const { return port_; }

  // Answers until a signal comes.
  Status ServeUntil(const os::SignalWatch& watch);

 private:
  struct Implementation;  // Keeps the library's header where it is used.

  HttpServer(std::unique_ptr<Implementation> implementation, int port);

  std::unique_ptr<Implementation> implementation_;
  int port_ = 0;
};

// Both ends belong to it.
struct ByteRange {
  int64_t first = 0;
  int64_t last = 0;

  bool operator==(const ByteRange&) const = default;
};

// What "bytes=<first>-<last>" means of a file with `size` bytes. An end that is missing
// is -1: "5-" goes to the end, "-5" are the last five. Nothing: there is no such byte.
std::optional<ByteRange> RangeWithin(const ByteRange& asked, int64_t size);

}  // namespace ridgeline::serve
