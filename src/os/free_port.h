#pragma once

#include "base/result.h"

namespace ridgeline::os {

// A currently free TCP port on 127.0.0.1.
Result<int> FreePort();

}  // namespace ridgeline::os
