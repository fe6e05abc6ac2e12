#pragma once

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

namespace ridgeline::os {

// Mode of a new file before the process's umask is applied.
inline constexpr mode_t kBeforeUmask = 0666;

// Owns an open file descriptor; closes it on destruction.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() { Close(); }
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    Close();
    fd_ = std::exchange(other.fd_, -1);
    return *this;
  }

  bool ok() const { return fd_ >= 0; }
  int get() const { return fd_; }
  void Close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

// Both ends are close-on-exec.
struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;

  bool Open() {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = FileDescriptor(ends[0]);
    write_end = FileDescriptor(ends[1]);
    return true;
  }
};

// A one-way pipe on which writing to a dead reader does not raise SIGPIPE.
struct Lifeline {
  FileDescriptor listener;
  FileDescriptor speaker;

  bool Open() {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    listener = FileDescriptor(ends[0]);
    speaker = FileDescriptor(ends[1]);
    return true;
  }
  // Errors are ignored: the reader may be dead.
  void Say(char word) const { ::send(speaker.get(), &word, 1, MSG_NOSIGNAL); }
};

}  // namespace ridgeline::os
