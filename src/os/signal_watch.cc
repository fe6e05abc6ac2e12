#include "os/signal_watch.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "os/file_descriptor.h"

namespace ridgeline::os {
namespace {

// The last one only on request.
constexpr std::array kWatched = {SIGINT, SIGTERM, SIGHUP, SIGUSR2};

// A handler takes no argument of ours, so its state is global.
std::atomic<int> g_first = 0;
std::atomic<int> g_count = 0;
std::atomic<int> g_wake_fd = -1;
// Read end of the outermost watch's pipe; -1: none.
std::atomic<int> g_read_fd = -1;
std::atomic<bool> g_is_watching = false;
static_assert(std::atomic<int>::is_always_lock_free);

void OnSignal(int number) {
  const int saved_errno = errno;
  int none = 0;
  g_first.compare_exchange_strong(none, number);
  ++g_count;
  const char byte = 0;
  // If the pipe is full, it is readable anyway.
  [[maybe_unused]] const ssize_t written = ::write(g_wake_fd, &byte, 1);
  errno = saved_errno;
}

}  // namespace

// The previous handlers, and the pipe that wakes up pollers.
struct SignalWatch::Before {
  Pipe pipe;
  std::array<struct sigaction, kWatched.size()> actions = {};
};

SignalWatch::SignalWatch(Signals signals) {
  if (g_is_watching) return;
  g_is_watching = true;
  before_ = std::make_unique<Before>();
  g_first = 0;
  g_count = 0;
  if (before_->pipe.Open()) {
    const int fd = before_->pipe.write_end.get();
    ::fcntl(fd, F_SETFL, O_NONBLOCK);
    g_wake_fd = fd;
    g_read_fd = before_->pipe.read_end.get();
  }
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  for (size_t i = 0; i < kWatched.size(); ++i) {
    ::sigaction(kWatched[i], nullptr, &before_->actions[i]);
    // Ignored on request, e.g. by nohup.
    if (before_->actions[i].sa_handler == SIG_IGN) continue;
    if (kWatched[i] == SIGUSR2 && signals == Signals::kUsual) continue;
    ::sigaction(kWatched[i], &action, nullptr);
  }
}

SignalWatch::~SignalWatch() {
  if (before_ == nullptr) return;
  for (size_t i = 0; i < kWatched.size(); ++i) {
    ::sigaction(kWatched[i], &before_->actions[i], nullptr);
  }
  g_wake_fd = -1;
  g_read_fd = -1;
  g_is_watching = false;
}

std::optional<int> SignalWatch::first() const {
  const int number = g_first;
  if (number == 0) return std::nullopt;
  return number;
}

int SignalWatch::count() const { return g_count; }

int SignalWatch::wake_fd() const { return g_read_fd; }

bool SignalWatch::WaitFor(std::chrono::milliseconds time) const {
  pollfd wake = {wake_fd(), POLLIN, 0};
  // A signal that interrupts poll has been counted, or the caller polls again.
  ::poll(&wake, 1, static_cast<int>(time.count()));
  return g_count > 0;
}

void ReportFileSizeLimit() { ::signal(SIGXFSZ, SIG_IGN); }

}  // namespace ridgeline::os
