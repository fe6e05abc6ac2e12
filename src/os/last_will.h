// Replaces a file if this process dies before it has finished.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace ridgeline::os {

// While it exists, a small helper process waits for this one to end, for any reason, and
// then renames `will` to `target` if `will` exists. Destroying it ends the helper without
// effect.
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
  Lifeline lifeline_;  // The executor has the listener.
};

}  // namespace ridgeline::os
