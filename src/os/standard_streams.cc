#include "os/standard_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

namespace ridgeline::os {

Status FlushStandardOutput() {
  errno = 0;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::cout.good() && std::ferror(stdout) == 0) return Ok();
  // Of an earlier write only the failure is left, not its reason.
  const std::string reason =
      errno == 0 ? "write failed (disk full?)" : std::strerror(errno);
  return Error(ErrorCode::kIo, "stdout: " + reason + "; the output is truncated");
}

}  // namespace ridgeline::os
