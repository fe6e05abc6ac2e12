#include "os/standard_streams.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace ridgeline::os {

Status StandardStreams::Flush() {
  errno = 0;
  out.flush();
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && out.good() && std::ferror(stdout) == 0) return Ok();
  // Of an earlier write only the failure is left, not its reason.
  const std::string reason =
      errno == 0 ? "write failed (disk full?)" : std::strerror(errno);
  return Error(ErrorCode::kIo, "stdout: " + reason + "; the output is truncated");
}

}  // namespace ridgeline::os
