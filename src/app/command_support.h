// What every command does the same way: saying what went wrong, and warning.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "app/compose_here.h"
#include "app/exit_status.h"
#include "app/streams.h"
#include "base/result.h"
#include "config/error.h"
#include "config/tree/workspace.h"

namespace ridgeline::app {

ExitStatus Fail(const Streams& streams, const Error& error);
ExitStatus Fail(const Streams& streams, const config::Error& error);

void PrintWarnings(const Streams& streams, config::Workspace& workspace);

// A configuration with everything that its nodes need to live.
struct ComposedHere {
  explicit ComposedHere(Here&& place) : here(std::move(place)), workspace(here.world) {}

  Here here;
  config::Workspace workspace;
  config::Composition composition;
};

// Composes for a command, at the time `now` if it is given. What went wrong was told
// already: only the exit status is left.
ridgeline::Result<std::unique_ptr<ComposedHere>, ExitStatus> ComposeFor(
    const HydraOptions& options, const Streams& streams,
    std::optional<os::LocalTime> now = std::nullopt);

}  // namespace ridgeline::app
