#pragma once

#include "pipeline/config_keys.h"

namespace ridgeline::app {

// Keys of the run as a whole: device, run, artifacts, and the user's own.
pipeline::KeyGroup RunKeys();

}  // namespace ridgeline::app
