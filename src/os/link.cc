#include <system_error>

#include "os/files.h"
#include "os/system_error.h"

namespace ridgeline::os {

Status MakeLink(const std::filesystem::path& target, const std::filesystem::path& link) {
  std::error_code reason;
  std::filesystem::create_symlink(target, link, reason);
  if (reason) return SystemError(link, reason.value());
  return Ok();
}

bool IsLink(const std::filesystem::path& path) {
  std::error_code reason;
  return std::filesystem::is_symlink(path, reason);
}

}  // namespace ridgeline::os
