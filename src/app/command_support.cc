#include "app/command_support.h"

#include <fmt/format.h>

#include <new>
#include <ostream>
#include <system_error>

#include "app/compose_here.h"
#include "app/group_overrides.h"
#include "app/registry.h"
#include "pipeline/adapt_tree.h"
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

Error ErrorOf(const std::exception& exception) {
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr) {
    return {ErrorCode::kIo,
            "out of memory\nhint: free memory, or raise the limit (ulimit -v)"};
  }
  const auto* const system = dynamic_cast<const std::system_error*>(&exception);
  if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again) {
    return {ErrorCode::kIo, "cannot start a thread: " + system->code().message() +
                                "\nhint: raise the limits (ulimit -v, ulimit -u)"};
  }
  return {ErrorCode::kIo, std::string("internal error: ") + exception.what()};
}

namespace {

// "run.mode=light" and "+run.mode=light" are equivalent: whether scripts have the sign
// depends on whether their tree had the key.
void AllowAddingKnownKeys(std::vector<std::string>& overrides) {
  const std::vector<pipeline::KeyGroup> groups = KeyGroups();
  for (std::string& text : overrides) {
    const size_t sign = text.starts_with("++") ? 2 : text.starts_with('+') ? 1 : 0;
    const std::string key = text.substr(sign, text.find('=') - sign);
    const pipeline::ConfigKey* const known = pipeline::FindKey(groups, key);
    // Keys with a default exist already: keep the override as typed.
    if (known == nullptr || (sign == 0 && !known->otherwise.empty())) continue;
    text = "++" + text.substr(sign);
  }
}

constexpr const char* kRunnerHint =
    "The files of conf/runner are keys of config.yaml now: use, without -cn, "
    "pipeline.<stage>.enable=true (runner/stage2: nsys and ncu)";

bool IsRunnerFile(const HydraOptions& options) {
  return options.config_name.starts_with("runner/");
}

// Empty if the program was moved without its configuration.
std::string OwnConfigOrNone() {
  Result<std::string> own = OwnConfigDirectory();
  return own.ok() ? std::move(own).value() : "";
}

// Adapts overrides to this tree; returns a line for each change.
std::vector<std::string> AdaptToTree(const HydraOptions& options,
                                     config::ComposeRequest& request) {
  pipeline::RewrittenOverrides rewritten =
      pipeline::RewriteLegacyOverrides(request.overrides, KeyGroups());
  request.overrides = std::move(rewritten.overrides);
  AdaptGroupOverrides(OwnConfigOrNone(), request, rewritten.notes);
  if (!options.UsesOwnTree()) {
    AddOwnGroups(OwnConfigOrNone(), request, rewritten.notes);
    AddPresetsOfStage2(request, rewritten.notes);
    AllowAddingKnownKeys(request.overrides);
  }
  return std::move(rewritten.notes);
}

config::ComposeRequest WithAdapter(config::ComposeRequest request,
                                   std::vector<std::string>& notes) {
  const pipeline::TreeFiles files{"/" + request.config_name.value_or("config") + ".yaml",
                                  OwnConfigOrNone()};
  request.adapt = [files, here = request.working_directory, &notes](
                      config::Workspace& workspace,
                      config::Node& root) -> config::Status {
    const std::vector<pipeline::KeyGroup> groups = KeyGroups();
    RIDGELINE_RETURN_IF_ERROR(
        pipeline::AdoptLegacyKeys(workspace, root, groups, files, notes));
    RIDGELINE_RETURN_IF_ERROR(pipeline::UniteRunDirectories(workspace, root));
    RIDGELINE_RETURN_IF_ERROR(pipeline::FillDefaults(workspace, root, groups));
    RIDGELINE_RETURN_IF_ERROR(pipeline::ReplaceMissingLink(workspace, root, here, notes));
    return pipeline::LiftCaptureLimits(workspace, root, notes);
  };
  return request;
}

}  // namespace

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
  if (!options.UsesOwnTree()) {
    composed->unknown_keys = pipeline::UnknownKeys::kWarnInFiles;
  }
  std::vector<std::string> notes = AdaptToTree(options, request);
  config::Result<config::Composition> result =
      config::Compose(composed->workspace, WithAdapter(request, notes));
  if (!options.is_quiet) {
    for (const std::string& note : notes) {
      streams.err << "ridgeline: note: " << note << '\n';
    }
    PrintWarnings(streams, composed->workspace);
  }
  if (!result.ok()) {
    config::Error error = std::move(result).error();
    const std::string hint = app::HintForOverride(error, request.overrides);
    if (!hint.empty()) error.hint = hint;
    if (IsRunnerFile(options) && error.hint.empty()) error.hint = kRunnerHint;
    return Fail(streams, error);
  }
  // Such a file only has capture settings: no dataset, model or device.
  if (IsRunnerFile(options) && result.value().root->children.Find("dataset") == nullptr) {
    return Fail(streams,
                config::Error(config::ErrorKind::kValidation,
                              fmt::format("{} selects no dataset and no model\n{}",
                                          options.config_name, kRunnerHint)));
  }
  composed->composition = std::move(result).value();
  return composed;
}

}  // namespace ridgeline::app
