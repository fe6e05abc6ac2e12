#include "os/command.h"
#include "os/env.h"
#include "os/files.h"

namespace ridgeline::os {

std::optional<std::filesystem::path> FindOwnProgram(std::string_view name) {
  const Result<std::filesystem::path> us = ExecutablePath();
  if (!us.ok()) return std::nullopt;
  const std::filesystem::path bin = us.value().parent_path();
  for (const std::filesystem::path& place :
       {bin / name, bin.parent_path() / "libexec/ridgeline" / name}) {
    if (IsRegularFile(place)) return place;
  }
  return std::nullopt;
}

}  // namespace ridgeline::os
