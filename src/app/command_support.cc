#include "app/command_support.h"

#include <ostream>

#include "app/compose_here.h"
#include "pipeline/legacy_keys.h"

namespace ridgeline::app {

ExitStatus Fail(const Streams& streams, const Error& error) {
  streams.err << "ridgeline: " << error.message() << '\n';
  return ExitStatusOf(error.code());
}

ExitStatus Fail(const Streams& streams, const config::Error& error) {
  streams.err << "ridgeline: " << ErrorText(error) << '\n';
  return ExitStatus::kUsage;
}

void PrintWarnings(const Streams& streams, config::Workspace& workspace) {
  for (const std::string& warning : workspace.TakeWarnings()) {
    streams.err << "ridgeline: warning: " << warning << '\n';
  }
}

ridgeline::Result<std::unique_ptr<ComposedHere>, ExitStatus> ComposeFor(
    const HydraOptions& options, const Streams& streams,
    std::optional<os::LocalTime> now) {
  Result<Here> here = PlaceHere(options);
  if (!here.ok()) return Fail(streams, here.error());
  if (now) here.value().world.now = *now;
  auto composed = std::make_unique<ComposedHere>(std::move(here).value());
  config::ComposeRequest& request = composed->here.request;
  if (options.UsesOwnTree()) {
    pipeline::RewrittenOverrides rewritten =
        pipeline::RewriteLegacyOverrides(request.overrides);
    for (const std::string& note : rewritten.notes) {
      streams.err << "ridgeline: note: " << note << '\n';
    }
    request.overrides = std::move(rewritten.overrides);
  }
  config::Result<config::Composition> result =
      config::Compose(composed->workspace, request);
  PrintWarnings(streams, composed->workspace);
  if (!result.ok()) {
    config::Error error = std::move(result).error();
    const std::string hint = app::HintForOverride(error, request.overrides);
    if (!hint.empty()) error.hint = hint;
    return Fail(streams, error);
  }
  composed->composition = std::move(result).value();
  return composed;
}

}  // namespace ridgeline::app
