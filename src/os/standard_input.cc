#include "os/standard_input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>

namespace ridgeline::os {
namespace {

using std::chrono::steady_clock;

constexpr auto kPollEvery = std::chrono::milliseconds(10);
constexpr int kPatienceMs = 1000;

// The poll() events of a descriptor, after at most `timeout_ms`.
short EventsOf(int descriptor, int timeout_ms) {
  pollfd entry = {.fd = descriptor, .events = POLLIN, .revents = 0};
  return ::poll(&entry, 1, timeout_ms) > 0 ? entry.revents : short{0};
}

// A copy of the bytes in a pipe, without consuming them; empty: not available
// immediately.
std::optional<std::string> CopyOf(int pipe) {
  int size = 0;
  if (::ioctl(pipe, FIONREAD, &size) != 0) return {};
  std::string bytes(static_cast<size_t>(size), '\0');
  if (size == 0) return bytes;
  std::array<int, 2> ends = {};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  // As many buffers as the original: each write may occupy a separate one.
  ::fcntl(ends[1], F_SETPIPE_SZ, ::fcntl(pipe, F_GETPIPE_SZ));
  const ssize_t copied = ::tee(pipe, ends[1], bytes.size(), SPLICE_F_NONBLOCK);
  ssize_t read = 0;
  while (copied == size && read < copied) {
    const ssize_t some = ::read(ends[0], bytes.data() + read, bytes.size() - read);
    if (some <= 0) break;
    read += some;
  }
  ::close(ends[0]);
  ::close(ends[1]);
  if (read != size) return {};
  return bytes;
}

PeekedInput PeekFile(int file, off_t size, size_t limit) {
  const off_t at = std::max<off_t>(::lseek(file, 0, SEEK_CUR), 0);
  const size_t rest = static_cast<size_t>(std::max<off_t>(size - at, 0));
  PeekedInput input = {.kind = InputKind::kFile, .is_waiting = rest > 0, .text = {}};
  if (rest > limit) return input;
  std::string bytes(rest, '\0');
  size_t read = 0;
  while (read < rest) {
    const ssize_t some =
        ::pread(file, bytes.data() + read, rest - read, at + static_cast<off_t>(read));
    if (some <= 0) return input;
    read += static_cast<size_t>(some);
  }
  input.text = std::move(bytes);
  return input;
}

PeekedInput PeekPipe(int pipe, double wait_s) {
  const auto end = steady_clock::now() + std::chrono::duration<double>(wait_s);
  PeekedInput input;
  while (true) {
    const short events = EventsOf(pipe, 0);
    input.is_waiting = (events & POLLIN) != 0;
    if ((events & POLLHUP) != 0) {
      input.text = CopyOf(pipe);
      return input;
    }
    if (steady_clock::now() >= end) return input;
    std::this_thread::sleep_for(kPollEvery);
  }
}

PeekedInput PeekSocket(int socket, double wait_s) {
  EventsOf(socket, static_cast<int>(wait_s * 1000));
  char first = 0;
  const bool is_waiting = ::recv(socket, &first, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
  return {.kind = InputKind::kSocket, .is_waiting = is_waiting, .text = {}};
}

bool IsNull(const struct stat& status) {
  return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
}

}  // namespace

std::optional<std::filesystem::path> InputFile(int descriptor) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  if (::lseek(descriptor, 0, SEEK_CUR) != 0) return {};
  std::error_code error;
  std::filesystem::path path =
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error);
  // A file deleted or replaced in the meantime has no path.
  struct stat named = {};
  if (error || ::stat(path.c_str(), &named) != 0 || named.st_ino != status.st_ino) {
    return {};
  }
  return path;
}

std::optional<PeekedInput> PeekInput(const PeekLimits& limits, int descriptor) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) return {};
  if (S_ISREG(status.st_mode)) return PeekFile(descriptor, status.st_size, limits.bytes);
  if (S_ISFIFO(status.st_mode)) return PeekPipe(descriptor, limits.wait_s);
  if (S_ISSOCK(status.st_mode)) return PeekSocket(descriptor, limits.wait_s);
  if (IsNull(status) || ::isatty(descriptor) == 1) return {};
  if (!S_ISCHR(status.st_mode) && !S_ISBLK(status.st_mode)) return {};
  return PeekedInput{.kind = InputKind::kDevice, .is_waiting = true, .text = {}};
}

Result<std::string> ReadInput(size_t limit, const std::function<void()>& on_wait,
                              int descriptor) {
  std::string text;
  std::array<char, 1 << 16> block = {};
  bool has_waited = false;
  while (true) {
    if (!has_waited && EventsOf(descriptor, kPatienceMs) == 0) {
      has_waited = true;
      on_wait();
    }
    const ssize_t count = ::read(descriptor, block.data(), block.size());
    if (count == 0) return text;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      return Error(ErrorCode::kIo,
                   std::string("standard input: ") + std::strerror(errno));
    }
    text.append(block.data(), static_cast<size_t>(count));
    if (text.size() > limit) {
      return Error(ErrorCode::kConfig,
                   "standard input has more than " + std::to_string(limit >> 20) +
                       " MiB; write it to a file and redirect that (<FILE)");
    }
  }
}

}  // namespace ridgeline::os
