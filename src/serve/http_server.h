#pragma once

#include <memory>
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

}  // namespace ridgeline::serve
