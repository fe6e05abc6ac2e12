#include "os/signal_watch.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>

namespace ridgeline::os {
namespace {

bool IsReadable(int fd) {
  pollfd poll_fd = {fd, POLLIN, 0};
  return ::poll(&poll_fd, 1, 0) == 1;
}

TEST(SignalWatchTest, CountsInsteadOfEnding) {
  const SignalWatch watch;
  EXPECT_EQ(watch.first(), std::nullopt);
  EXPECT_EQ(watch.count(), 0);
  EXPECT_FALSE(IsReadable(watch.wake_fd()));
  ::raise(SIGTERM);
  ::raise(SIGINT);
  EXPECT_EQ(watch.first(), SIGTERM);
  EXPECT_EQ(watch.count(), 2);
  EXPECT_TRUE(IsReadable(watch.wake_fd()));
}

TEST(SignalWatchTest, WaitsUntilOneComesOrTheTimeHasPassed) {
  const SignalWatch watch;
  EXPECT_FALSE(watch.WaitFor(std::chrono::milliseconds(1)));
  ::raise(SIGTERM);
  EXPECT_TRUE(watch.WaitFor(std::chrono::hours(1)));
}

TEST(SignalWatchTest, CountsTheAnnouncementOfATimeLimitOnlyIfAskedTo) {
  const auto before = ::signal(SIGUSR2, SIG_IGN);
  ::signal(SIGUSR2, SIG_DFL);
  {
    const SignalWatch watch(SignalWatch::Signals::kWithTimeLimit);
    ::raise(SIGUSR2);
    EXPECT_EQ(watch.first(), SIGUSR2);
  }
  EXPECT_EQ(::signal(SIGUSR2, before), SIG_DFL);
}

TEST(SignalWatchTest, AnInnerOneSeesWhatTheOuterOneSees) {
  const SignalWatch outer(SignalWatch::Signals::kWithTimeLimit);
  {
    const SignalWatch inner;
    ::raise(SIGUSR2);
    EXPECT_EQ(inner.first(), SIGUSR2);
    EXPECT_TRUE(IsReadable(inner.wake_fd()));
  }
  ::raise(SIGTERM);
  EXPECT_EQ(outer.first(), SIGUSR2);
  EXPECT_EQ(outer.count(), 2);
  EXPECT_EQ(SignalWatch().count(), 2);
}

TEST(SignalWatchTest, StartsAnewAndLeavesIgnoredSignalsAlone) {
  const auto before = ::signal(SIGHUP, SIG_IGN);
  {
    const SignalWatch watch;
    ::raise(SIGHUP);
    EXPECT_EQ(watch.count(), 0);
    ::raise(SIGINT);
  }
  EXPECT_EQ(SignalWatch().count(), 0);
  EXPECT_EQ(::signal(SIGHUP, before), SIG_IGN);
}

}  // namespace
}  // namespace ridgeline::os
