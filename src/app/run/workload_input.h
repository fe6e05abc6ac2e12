// Standard input of ours is that of the workload, which every stage starts again.
#pragma once

#include <optional>
#include <string>

#include "app/command_support.h"
#include "app/run/run_options.h"
#include "base/result.h"

namespace ridgeline::app {

// Decides where the workload's standard input comes from, as an override that --resume
// finds again:
// - `< FILE`: that file;
// - a file that was read in part or deleted: the rest, copied to the run directory;
// - a pipe whose writers are gone: what is in it, copied to the run directory;
// - pipeline.workload.stdin=-: everything until the end, copied to the run directory.
void FindInput(RunOptions& options);

// What has to be in the run directory; nothing: no copy is needed. Reads our standard
// input where FindInput() has not.
Result<std::optional<std::string>> TakeInput(const RunOptions& options,
                                             const Streams& streams);

// For a sweep, whose jobs have directories of their own: no copy.
RunOptions WithoutPipedInput(RunOptions options, const Streams& streams);

}  // namespace ridgeline::app
