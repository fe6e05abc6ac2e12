#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "os/signal_watch.h"
#include "serve/site.h"

namespace ridgeline::serve {

// HTTP front end of a Site.
class HttpServer {
 public:
  // Reachable at `host` from here on; port 0 means any free one.
  static Result<HttpServer> Bind(const Site& site, const std::string& host, int port);

  HttpServer(HttpServer&&) noexcept;
  ~HttpServer();

  int port() const { return port_; }

  // Serves until a signal arrives.
  Status ServeUntil(const os::SignalWatch& watch);

 private:
  struct Implementation;  // Keeps the library's header private.

  HttpServer(std::unique_ptr<Implementation> implementation, int port);

  std::unique_ptr<Implementation> implementation_;
  int port_ = 0;
};

// Both ends are inclusive.
struct ByteRange {
  int64_t first = 0;
  int64_t last = 0;

  bool operator==(const ByteRange&) const = default;
};

// The range "bytes=<first>-<last>" of a file with `size` bytes. A missing end is -1: "5-"
// is everything from 5 on, "-5" the last five bytes. Empty: no such bytes.
std::optional<ByteRange> RangeWithin(const ByteRange& asked, int64_t size);

}  // namespace ridgeline::serve
