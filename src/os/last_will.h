// Replaces a file if this process dies before it has finished.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace ridgeline::os {

// While it exists, a small process of ours waits for the end of this one, in whatever
// way it comes, and then renames `will` to `target`, if `will` exists. Destroying it
// lets that process go and does nothing.
class LastWill {
 public:
  static Result<LastWill> Make(const std::filesystem::path& will,
                               const std::filesystem::path& target);
  ~LastWill();
  LastWill(LastWill&& other) noexcept;
  LastWill& operator=(LastWill&&) = delete;

 private:
  LastWill(pid_t executor, Lifeline lifeline)
      : executor_(executor), lifeline_(std::move(lifeline)) {}

  pid_t executor_;
  Lifeline lifeline_;  // Its listener lives in the executor.
};

}  // namespace ridgeline::os
