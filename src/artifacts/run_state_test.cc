#include "artifacts/run_state.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <optional>

#include "os/directory_lock.h"
#include "os/env.h"
#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::artifacts {
namespace {

TEST(RunStateTest, BelievesThatARunIsRunningOnlyWhileItsDirectoryIsLocked) {
  const Result<os::ScratchDirectory> scratch = os::ScratchDirectory::Make("run_state");
  ASSERT_TRUE(scratch.ok());
  const RunDir run_dir(scratch.value().path());
  const std::string here = os::HostName().value();
  struct Case {
    State written;
    std::string host;
    bool is_locked;
    State read;
  };
  const Case cases[] = {
      {State::kRunning, here, true, State::kRunning},
      {State::kRunning, here, false, State::kInterrupted},
      {State::kRunning, "elsewhere", false, State::kRunning},
      {State::kDone, here, false, State::kDone},
      {State::kFailed, here, false, State::kFailed},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(ToText(c.written)) + " on " + c.host);
    Manifest manifest;
    manifest.state = c.written;
    manifest.host = c.host;
    manifest.pid = ::getpid();  // Alive: the PID alone proves nothing.
    manifest.stages = {{.name = "nsys", .state = c.written}};
    ASSERT_TRUE(os::WriteFileAtomically(run_dir.manifest(), ToJson(manifest)).ok());
    std::optional<os::DirectoryLock> lock;
    if (c.is_locked) {
      auto taken = os::DirectoryLock::Try(run_dir.root());
      ASSERT_TRUE(taken.ok() && taken.value().has_value());
      lock.emplace(std::move(*taken.value()));
    }
    const Result<Manifest> read = ReadManifestOf(run_dir);
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(ToText(read.value().state), ToText(c.read));
    EXPECT_EQ(ToText(read.value().stages[0].state), ToText(c.read));
  }
}

}  // namespace
}  // namespace ridgeline::artifacts
