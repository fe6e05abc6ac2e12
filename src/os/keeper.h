// The keeper is a process between us and a program we start. It adopts the program's
// orphans (PR_SET_CHILD_SUBREAPER), forwards signals, and terminates all remaining
// processes when the program exits or when we are gone, which it detects by EOF on its
// control pipe, however we died. A warden, between us and the keeper, terminates
// everything if the keeper itself is killed; only killing both leaves processes behind.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace ridgeline::os {

// Everything the keeper needs, prepared before the fork: after it the keeper must not
// allocate, because another of our threads could have held the lock.
struct KeeperJob {
  const char* program = nullptr;       // A path.
  char* const* argv = nullptr;         // Null-terminated.
  char* const* environment = nullptr;  // Null-terminated.
  const char* directory = nullptr;     // Null: the current one.
  int output_fd = -1;                  // Becomes the program's stdout,
  int error_fd = -1;                   // and its stderr.
  int inherited_fd = -1;               // Stays open in the program.
  int control_fd = -1;                 // Read: commands, one byte each; EOF: terminate.
  int report_fd = -1;                  // Written: several KeeperReport.
};

// Commands: a signal number for the program's process group, or this.
inline constexpr char kKillAll = 'K';

struct KeeperReport {
  enum class Kind : int32_t {
    kNotStarted,  // `error_number` of the step that failed.
    kEnded,       // The program exited; others may remain.
    kGone,        // No processes remain.
  };
  enum class Step : int32_t { kFork, kDirectory, kExecute };

  Kind kind = Kind::kGone;
  Step step = Step::kFork;
  int32_t error_number = 0;
  int32_t wait_status = 0;
  int32_t leftovers = 0;
  int64_t wall_ns = 0;
  int64_t user_us = 0;
  int64_t system_us = 0;
  int64_t peak_rss_kib = 0;
};

// The main function of the warden, which starts the keeper. Call it in the newly forked
// process with all signals blocked. The exit code is 0 unless the keeper was killed or
// could not be started.
[[noreturn]] void Keep(const KeeperJob& job);

// Fills `found` with the descendants of `ancestor` that are not zombies, and returns
// their number, at most `capacity`. Does not allocate: safe in a newly forked process.
size_t ListDescendants(pid_t ancestor, pid_t* found, size_t capacity);

}  // namespace ridgeline::os
