#pragma once

#include "app/command_support.h"
#include "app/doctor/doctor_checks.h"
#include "app/hydra/hydra_flags.h"
#include "os/process_runner.h"

namespace ridgeline::app {

// Looks at everything that Diagnose wants to know. Nothing is created or changed. Notes
// about a configuration that is right go to `streams.err`.
DoctorFacts GatherFacts(const HydraOptions& options, os::ProcessRunner& processes,
                        const Streams& streams);

}  // namespace ridgeline::app
