#include "os/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "os/system_error.h"

namespace ridgeline::os {
namespace {

FileDescriptor Copy(int fd) { return FileDescriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 0)); }

}  // namespace

Status StandardStreams::Flush() {
  errno = 0;
  out.flush();
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && out.good() && std::ferror(stdout) == 0) return Ok();
  // For an earlier write only the failure is known, not its reason.
  const std::string reason =
      errno == 0 ? "write failed (disk full?)" : std::strerror(errno);
  return Error(ErrorCode::kIo, "stdout: " + reason + "; the output is truncated");
}

Result<OutputInFile> OutputInFile::Begin(const std::filesystem::path& path) {
  const FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kBeforeUmask));
  if (!file.ok()) return SystemError(path, errno);
  OutputInFile output(Copy(STDOUT_FILENO), Copy(STDERR_FILENO));
  if (!output.out_.ok() || !output.err_.ok()) return SystemError(path, errno);
  std::cout.flush();
  ::dup2(file.get(), STDOUT_FILENO);
  ::dup2(file.get(), STDERR_FILENO);
  return output;
}

OutputInFile::~OutputInFile() {
  if (!out_.ok()) return;  // Moved from.
  std::cout.flush();
  ::dup2(out_.get(), STDOUT_FILENO);
  ::dup2(err_.get(), STDERR_FILENO);
}

}  // namespace ridgeline::os
