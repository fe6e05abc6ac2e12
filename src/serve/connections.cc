#include "serve/connections.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace ridgeline::serve {

Connections::Connection::Connection(Connections& all, int socket)
    : all_(all), socket_(socket) {
  const std::lock_guard lock(all_.mutex_);
  entry_ = all_.open_.insert(all_.open_.end(), Entry{.socket = socket});
  all_.MakeRoom();
}

Connections::Connection::~Connection() {
  {
    const std::lock_guard lock(all_.mutex_);
    if (entry_->is_closing) --all_.closing_;
    --all_.expected_;
    all_.open_.erase(entry_);
  }
  // The descriptor is no longer known elsewhere; the next connection may reuse it.
  ::shutdown(socket_, SHUT_RDWR);
  ::close(socket_);
}

bool Connections::Connection::WaitFor(short events, Clock::time_point until) const {
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd wanted = {.fd = socket_, .events = events, .revents = 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(std::max<int64_t>(left, 0)));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

ssize_t Connections::Connection::Read(char* bytes, size_t size) {
  // The deadline is for the whole request, however slowly it arrives.
  return WaitFor(POLLIN, request_until_) ? ::recv(socket_, bytes, size, 0) : -1;
}

ssize_t Connections::Connection::Write(const char* bytes, size_t size) {
  {
    const std::lock_guard lock(all_.mutex_);
    entry_->is_answered = true;
  }
  if (!WaitFor(POLLOUT, Clock::now() + kPatience)) return -1;
  return ::send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Connections::Expect() {
  const std::lock_guard lock(mutex_);
  ++expected_;
  MakeRoom();
}

void Connections::Stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  MakeRoom();
}

// A thread that waits on a socket that was shut down wakes up and closes it.
void Connections::MakeRoom() {
  for (Entry& entry : open_) {
    const bool is_needless =
        is_stopped_ || (!entry.is_answered && expected_ - closing_ > kMost);
    if (!is_needless || entry.is_closing) continue;
    entry.is_closing = true;
    ++closing_;
    ::shutdown(entry.socket, SHUT_RDWR);
  }
}

}  // namespace ridgeline::serve
