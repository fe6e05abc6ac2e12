// Passes our standard input to the workload, which every stage starts again.
#pragma once

#include <optional>
#include <string>

#include "app/command_support.h"
#include "app/run/run_options.h"
#include "base/result.h"

namespace ridgeline::app {

// Decides where the workload's standard input comes from, and adds it as an override for
// --resume:
// - `< FILE`: that file;
// - a partly read or deleted file: the rest, copied to the run directory;
// - a pipe without writers: its contents, copied to the run directory;
// - pipeline.workload.stdin=-: everything until the end, copied to the run directory.
void FindInput(RunOptions& options);

// Text to copy to the run directory; nullopt: no copy is needed. Reads our standard input
// if FindInput() did not.
Result<std::optional<std::string>> TakeInput(const RunOptions& options,
                                             const Streams& streams);

// For a sweep, whose jobs have separate directories: no copy.
RunOptions WithoutPipedInput(RunOptions options, const Streams& streams);

}  // namespace ridgeline::app
