#pragma once

#include "base/result.h"
#include "os/command.h"

namespace ridgeline::os {

// This process becomes the program, with our files, signals and number. Returns only if
// it does not: kNotFound, kCannotStart.
Error ReplaceProcess(const Command& command);

}  // namespace ridgeline::os
