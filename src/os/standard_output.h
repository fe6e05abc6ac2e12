#pragma once

#include "base/result.h"

namespace ridgeline::os {

// Writes out what standard output still buffers. An error if that or any earlier write to
// it failed, for example because its disk is full: whoever reads it would take a
// truncated answer for the whole one. Called once, last in main().
Status FlushStandardOutput();

}  // namespace ridgeline::os
