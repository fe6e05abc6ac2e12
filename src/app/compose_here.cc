#include "app/compose_here.h"

#include <filesystem>

#include "os/clock.h"
#include "os/env.h"
#include "os/files.h"

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;

// How many levels above the program to look for its configuration: build/release/src/app/
// is four below the source tree, bin/ one below an installation.
constexpr int kLevelsAbove = 6;

const config::DiskFiles kFiles;  // Stateless.

bool HoldsConfig(const fs::path& directory) {
  return os::IsRegularFile(directory / "config.yaml");
}

}  // namespace

Result<std::string> OwnConfigDirectory() {
  RIDGELINE_TRY(const fs::path program, os::ExecutablePath());
  fs::path above = program.parent_path();
  for (int level = 0; level < kLevelsAbove; ++level) {
    for (const fs::path& place : {above / "share/ridgeline/conf", above / "conf"}) {
      if (HoldsConfig(place)) return place.string();
    }
    above = above.parent_path();
  }
  return Error(ErrorCode::kNotFound,
               "no conf/config.yaml found near " + program.string() +
                   "\nhint: set the configuration directory with --config-path DIR");
}

Result<Here> PlaceHere(const HydraOptions& options) {
  RIDGELINE_TRY(const fs::path directory, os::CurrentDirectory());
  Here here;
  config::ComposeRequest& request = here.request;
  request.files = &kFiles;
  request.working_directory = directory.string();
  request.job_name = "ridgeline";
  if (options.config_path.empty()) {
    RIDGELINE_TRY(request.config_path, OwnConfigDirectory());
  } else {
    request.config_path = config::NormalizePath(
        config::JoinPath(request.working_directory, options.config_path));
  }
  if (!options.config_dir.empty()) {
    request.config_dir = config::NormalizePath(
        config::JoinPath(request.working_directory, options.config_dir));
  }
  if (options.config_name != kNoConfig) {
    request.config_name = options.config_name.empty() ? "config" : options.config_name;
  }
  request.overrides = options.overrides;
  if (options.action == HydraOptions::Action::kMultirun) {
    request.mode = config::RunMode::kMultirun;
  }
  here.world = {os::Environment(), os::Now()};
  return here;
}

std::string ErrorText(const config::Error& error) {
  // Hydra advises to add the key, which is refused for a mistyped one: the key that was
  // meant comes first.
  const size_t first_line = error.message.find('\n');
  const bool advises_twice = error.hint.starts_with("Did you mean") &&
                             error.message.starts_with("Could not override '") &&
                             first_line != std::string::npos;
  std::string text;
  const auto add = [&text](const std::string& part) {
    if (part.empty()) return;
    text += (text.empty() ? "" : "\n") + part;
  };
  if (advises_twice) {
    add(error.message.substr(0, first_line));
    add(error.hint);
    add(error.message.substr(first_line + 1));
  } else {
    add(error.message);
  }
  if (error.cause != nullptr) add(error.cause->message);
  // YAML's own messages already include the location.
  const bool says_where =
      error.origin.known() && text.find(*error.origin.source) != std::string::npos;
  if (error.origin.known() && !says_where) add("  at " + error.origin.ToString());
  if (error.kind == config::ErrorKind::kYamlReader) {
    add("Configuration files must be UTF-8 without control characters.");
  }
  if (!advises_twice) add(error.hint);
  return text;
}

}  // namespace ridgeline::app
