// What every command does the same way: saying what went wrong, and warning.
#pragma once

#include <exception>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/compose_here.h"
#include "app/exit_status.h"
#include "base/result.h"
#include "config/error.h"
#include "config/tree/workspace.h"
#include "pipeline/config_schema.h"

namespace ridgeline::app {

// Where a command writes: the answer to `out`, all talk to `err`.
struct Streams {
  std::ostream& out;
  std::ostream& err;
};

ExitStatus Fail(const Streams& streams, const Error& error);
ExitStatus Fail(const Streams& streams, const config::Error& error);

// Exceptions of the C++ library: it throws without memory or threads.
Error ErrorOf(const std::exception& exception);

void PrintWarnings(const Streams& streams, config::Workspace& workspace);

// A configuration with everything that its nodes need to live.
struct ComposedHere {
  explicit ComposedHere(Here&& place) : here(std::move(place)), workspace(here.world) {}

  Here here;
  config::Workspace workspace;
  config::Composition composition;
  // Files of other people's trees may hold keys for other programs.
  pipeline::UnknownKeys unknown_keys = pipeline::UnknownKeys::kRefuse;
};

// Composes for a command, at the time `now` if given. Errors have been printed when this
// returns; only the exit status is returned.
ridgeline::Result<std::unique_ptr<ComposedHere>, ExitStatus> ComposeFor(
    const HydraOptions& options, const Streams& streams,
    std::optional<os::LocalTime> now = std::nullopt);

// One line that names the override that works, where Hydra's own words name none or
// one that fails: "+dataset/sampling@dataset.sampling=default" is answered with
// "appears more than once in the final defaults list". Empty when Hydra's words do.
std::string HintForOverride(const config::Error& error,
                            const std::vector<std::string>& overrides);

}  // namespace ridgeline::app
