#include "os/link.h"

#include <system_error>

#include "os/system_error.h"

namespace ridgeline::os {

Status MakeLink(const std::filesystem::path& target, const std::filesystem::path& link) {
  std::error_code reason;
  std::filesystem::create_symlink(target, link, reason);
  if (reason) return SystemError(link, reason.value());
  return Ok();
}

}  // namespace ridgeline::os
