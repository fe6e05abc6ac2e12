#include "os/last_will.h"

#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

namespace ridgeline::os {
namespace {

// Sent through the lifeline when the will is revoked.
constexpr char kRevoked = 'R';

// The main function of the executor, in the newly forked process: must not allocate.
[[noreturn]] void Execute(int lifeline, const char* will, const char* target) {
  ::setsid();
  ::prctl(PR_SET_NAME, "ridgeline-will");
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) ::dup2(nothing, fd);
  // Moves the lifeline to 3 and closes everything else, above all its other end.
  if (lifeline != 3) ::dup2(lifeline, 3);
  ::close_range(4, ~0U, 0);
  char word = 0;
  ssize_t size = 0;
  do {
    size = ::read(3, &word, 1);
  } while (size < 0 && errno == EINTR);
  if (size == 0) ::rename(will, target);
  ::_exit(0);
}

}  // namespace

Result<LastWill> LastWill::Make(const std::filesystem::path& will,
                                const std::filesystem::path& target) {
  Lifeline lifeline;
  if (!lifeline.Open()) {
    return Error(ErrorCode::kIo, std::string("socketpair: ") + std::strerror(errno));
  }
  const std::string from = will.string();
  const std::string to = target.string();
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // They stay blocked in the executor.
  const pid_t executor = ::fork();
  if (executor == 0) Execute(lifeline.listener.get(), from.c_str(), to.c_str());
  const int error_number = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (executor < 0) {
    return Error(ErrorCode::kIo,
                 std::string("starting a process: ") + std::strerror(error_number));
  }
  lifeline.listener.Close();
  return LastWill(executor, std::move(lifeline));
}

LastWill::LastWill(LastWill&& other) noexcept
    : executor_(std::exchange(other.executor_, -1)),
      lifeline_(std::move(other.lifeline_)) {}

LastWill::~LastWill() {
  if (executor_ < 0) return;
  lifeline_.Say(kRevoked);
  int status = 0;
  while (::waitpid(executor_, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace ridgeline::os
