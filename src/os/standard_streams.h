#pragma once

#include "base/result.h"

namespace ridgeline::os {

// Flushes stdout. An error if this or any earlier write failed, for example because the
// disk is full: the reader would otherwise take truncated output for all of it. Called
// once, last in main().
Status FlushStandardOutput();

}  // namespace ridgeline::os
