#include "os/free_port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "os/file_descriptor.h"

namespace ridgeline::os {

Result<int> FreePort() {
  const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  const bool is_bound = socket.ok() && ::bind(socket.get(), any, size) == 0 &&
                        ::getsockname(socket.get(), any, &size) == 0;
  if (!is_bound) {
    return Error(ErrorCode::kIo,
                 std::string("finding a free port: ") + std::strerror(errno));
  }
  return static_cast<int>(ntohs(address.sin_port));
}

}  // namespace ridgeline::os
