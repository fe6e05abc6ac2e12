#include "app/version.h"

#include "workloads/builtin_model.h"

namespace ridgeline::app {

artifacts::LibraryVersion LibtorchVersion() {
  const std::string_view version = RIDGELINE_LIBTORCH_VERSION;
  if (version.empty()) return {.reason = "not part of this build"};
  if (!workloads::FindModelProgram()) return {.reason = "ridgeline-model not found"};
  return {.version = std::string(version)};
}

}  // namespace ridgeline::app
