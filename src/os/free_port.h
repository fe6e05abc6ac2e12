#pragma once

#include "base/result.h"

namespace ridgeline::os {

// A TCP port of 127.0.0.1 that is free at this moment.
Result<int> FreePort();

}  // namespace ridgeline::os
