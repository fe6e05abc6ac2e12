#pragma once

#include "app/command_support.h"
#include "app/doctor/doctor_checks.h"
#include "app/hydra/hydra_flags.h"
#include "os/process_runner.h"

namespace ridgeline::app {

// Collects the facts for Diagnose(), without creating or changing anything. Notes about a
// valid configuration go to `streams.err`.
DoctorFacts GatherFacts(const HydraOptions& options, os::ProcessRunner& processes,
                        const Streams& streams);

}  // namespace ridgeline::app
