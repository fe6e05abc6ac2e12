// Composes in the context of this process: its directory, environment variables, the
// current time and the configuration shipped with the program.
#pragma once

#include <string>

#include "app/hydra/hydra_flags.h"
#include "base/result.h"
#include "config/compose/composer.h"

namespace ridgeline::app {

// The conf/ directory that was installed or built with this program.
Result<std::string> OwnConfigDirectory();

// Inputs for composing.
struct Here {
  config::ComposeRequest request;
  config::World world;
};
Result<Here> PlaceHere(const HydraOptions& options);

// Text of a composition error: Hydra's message, file and line, hint.
std::string ErrorText(const config::Error& error);

}  // namespace ridgeline::app
