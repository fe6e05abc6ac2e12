#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "os/file_descriptor.h"

namespace ridgeline::cli {

// `ridgeline serve` while it runs; whoever forgets to end it, ends it.
class Server {
 public:
  // Returns once it has printed its address.
  explicit Server(const std::vector<std::string>& arguments);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  const std::string& url() const { return url_; }
  int port() const { return port_; }
  // What it has said on stderr until then: all before the address, and its line.
  const std::string& error() const { return error_; }

  // Sends these bytes to 127.0.0.1 and returns all that is answered, status line and
  // headers included.
  std::string Ask(const std::string& request) const;
  // A connection on which these bytes were sent, and which stays open.
  os::FileDescriptor Connect(const std::string& bytes) const;
  // "GET <target>" with the Host that a browser would send.
  std::string Get(const std::string& target) const;

  // The signal, then the exit code.
  int End(int signal_number);

 private:
  pid_t child_ = 0;
  os::FileDescriptor output_;
  os::FileDescriptor talk_;
  std::string url_;
  std::string error_;
  int port_ = 0;
};

}  // namespace ridgeline::cli
