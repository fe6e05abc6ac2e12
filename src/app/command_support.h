// Shared by all commands: composing, error output, warnings.
#pragma once

#include <exception>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
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

// Output of a command: results go to `out`, everything else to `err`.
struct Streams {
  std::ostream& out;
  std::ostream& err;
};

ExitStatus Fail(const Streams& streams, const Error& error);
ExitStatus Fail(const Streams& streams, const config::Error& error);

// For exceptions of the C++ library, which throws when out of memory or threads.
Error ErrorOf(const std::exception& exception);

void PrintWarnings(const Streams& streams, config::Workspace& workspace);

// A configuration together with everything its nodes refer to.
struct ComposedHere {
  explicit ComposedHere(Here&& place) : here(std::move(place)), workspace(here.world) {}

  Here here;
  config::Workspace workspace;
  config::Composition composition;
  // Other trees may contain keys of other programs.
  pipeline::UnknownKeys unknown_keys = pipeline::UnknownKeys::kRefuse;
};

// Composes for a command, at time `now` if given. Prints errors; returns only the exit
// status.
ridgeline::Result<std::unique_ptr<ComposedHere>, ExitStatus> ComposeFor(
    const HydraOptions& options, const Streams& streams,
    std::optional<os::LocalTime> now = std::nullopt);

// A line with the override that works, for errors of Hydra that name none, or one that
// fails: for "+dataset/sampling@dataset.sampling=default" Hydra reports "appears more
// than once in the final defaults list". Empty if Hydra's message is sufficient.
std::string HintForOverride(const config::Error& error,
                            const std::vector<std::string>& overrides);

// The arguments of `ridgeline run` with the missing "--" before the first word that is a
// program or a file; empty: there is none.
std::string HintForProgram(std::span<const std::string> words);

}  // namespace ridgeline::app
