#pragma once

#include "app/exit_status.h"
#include "app/hydra/hydra_flags.h"
#include "app/streams.h"

namespace ridgeline::app {

// --help and --hydra-help: the templates hydra.help.template and
// hydra.hydra_help.template with the flags, groups and configuration filled in.
ExitStatus ShowHelp(const HydraOptions& options, const Streams& streams);

}  // namespace ridgeline::app
