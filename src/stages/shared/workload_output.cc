#include "stages/shared/workload_output.h"

namespace ridgeline::stages {

os::Command WithOutputIn(const std::filesystem::path& file, const os::Command& command) {
  os::Command redirected = command;
  // The shell replaces itself by the program: same process, same exit code.
  redirected.argv = {"/bin/sh", "-c", "exec \"$@\" >\"$0\" 2>&1", file.string()};
  redirected.argv.insert(redirected.argv.end(), command.argv.begin(), command.argv.end());
  return redirected;
}

}  // namespace ridgeline::stages
