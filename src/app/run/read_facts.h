#pragma once

#include "app/import/collected.h"
#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "report/run_facts.h"

namespace ridgeline::app {

// What a report says of a run beside its profiles: configuration, machine, commands, the
// FLOP ledger, pages. What is not there is left out; what cannot be read is told as such.
report::RunFacts ReadFacts(artifacts::Manifest& manifest,
                           const artifacts::RunDir& run_dir, Collected collected);

}  // namespace ridgeline::app
