#include "base/version.h"

namespace ridgeline {

std::string_view Version() { return RIDGELINE_VERSION; }

}  // namespace ridgeline
