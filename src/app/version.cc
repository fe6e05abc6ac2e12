#include "app/version.h"

namespace ridgeline::app {

std::string_view Version() { return RIDGELINE_VERSION; }

}  // namespace ridgeline::app
