// The keeper stands between us and a program that we start. It adopts the program's
// orphans (PR_SET_CHILD_SUBREAPER), passes signals on, and ends everything that is left
// when the program ends or when we are gone, which it notices because its control pipe
// ends, however we died. A warden, between us and the keeper, ends everything if the
// keeper itself is killed; only a kill of both leaves processes behind.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace ridgeline::os {

// Everything the keeper needs, made before the fork: afterwards it may not allocate,
// because another thread of ours could have held the lock.
struct KeeperJob {
  const char* program = nullptr;       // A path.
  char* const* argv = nullptr;         // Ends with null.
  char* const* environment = nullptr;  // Ends with null.
  const char* directory = nullptr;     // Null: where we are.
  int output_fd = -1;                  // Becomes the program's standard output,
  int error_fd = -1;                   // and its standard error.
  int inherited_fd = -1;               // Stays open in the program.
  int control_fd = -1;                 // Read: orders, one byte each; its end ends all.
  int report_fd = -1;                  // Written: KeeperReport, several.
};

// Orders: a signal number for the program's process group, or this.
inline constexpr char kKillAll = 'K';

struct KeeperReport {
  enum class Kind : int32_t {
    kNotStarted,  // `error_number` of the step that failed.
    kEnded,       // The program ended; others may be left.
    kGone,        // Nothing is left.
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

// The whole life of the warden, which makes the keeper, in the process that was just
// forked for it, with all signals blocked. Its exit code is 0 unless the keeper was
// killed or could not be made.
[[noreturn]] void Keep(const KeeperJob& job);

// Fills `found` with the processes that descend from `ancestor` and are not zombies, and
// returns how many there are, at most `capacity`. Allocates nothing: it may be called in
// a process that was just forked.
size_t ListDescendants(pid_t ancestor, pid_t* found, size_t capacity);

}  // namespace ridgeline::os
