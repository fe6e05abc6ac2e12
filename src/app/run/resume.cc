#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/run/run_setup.h"
#include "base/digest.h"
#include "base/secrets.h"
#include "config/value/python_text.h"
#include "config/value/yaml_load.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/files.h"
#include "pipeline/inputs.h"

namespace ridgeline::app {
namespace {

using artifacts::Manifest;
using artifacts::RunDir;
using artifacts::State;

Error Refusal(const std::string& directory, const std::string& why) {
  return {ErrorCode::kConfig, "cannot resume " + directory + ": " + why};
}

Result<Manifest> ReadManifest(const RunDir& run_dir) {
  Result<std::string> text = os::ReadFile(run_dir.manifest());
  if (!text.ok()) {
    if (!os::Exists(run_dir.manifest())) {
      return Refusal(run_dir.root().string(), "not a run directory (no manifest.json)");
    }
    return Error(ErrorCode::kConfig, "cannot resume: " + text.error().message());
  }
  return artifacts::ParseManifest(text.value(), run_dir.manifest().string());
}

Status CheckState(const Manifest& manifest, const RunDir& run_dir) {
  const std::string directory = run_dir.root().string();
  if (manifest.state == State::kDone) {
    return Refusal(directory, "the run is finished\nhint: ridgeline report " + directory +
                                  " rebuilds its reports");
  }
  if (manifest.directory != directory) {
    return Refusal(
        directory,
        "the run directory was moved; its configuration refers to " + manifest.directory);
  }
  // We hold the lock. If locks work here, the process of the run is gone, and its pid may
  // have been reused.
  const Result<bool> has_locks = os::DirectoryLock::IsHeld(run_dir.root());
  if (has_locks.ok() && has_locks.value()) return Ok();
  const Result<std::string> host = os::HostName();
  if (manifest.state == State::kRunning && host.ok() && host.value() == manifest.host &&
      os::IsProcessAlive(manifest.pid)) {
    return Refusal(directory,
                   fmt::format("the run is still active (process {})", manifest.pid));
  }
  return Ok();
}

// "a.b[0]: 1" for every scalar below `value`.
void Flatten(const config::Value& value, const std::string& key,
             std::map<std::string, std::string>& flat) {
  if (value.is_dict() && !value.dict().empty()) {
    for (const auto& [name, child] : value.dict()) {
      const std::string text = config::Str(config::Value(name));
      Flatten(child, key.empty() ? text : key + "." + text, flat);
    }
  } else if (value.is_list() && !value.list().empty()) {
    for (size_t i = 0; i < value.list().size(); ++i) {
      Flatten(value.list()[i], fmt::format("{}[{}]", key, i), flat);
    }
  } else {
    flat[key] = config::Str(value);
  }
}

// Differences between two configurations.
std::vector<std::string> ConfigChanges(const std::string& before,
                                       const std::string& now) {
  config::Result<config::Value> old_value = config::LoadYaml(before, "config.yaml");
  config::Result<config::Value> new_value = config::LoadYaml(now, "configuration");
  if (!old_value.ok() || !new_value.ok()) return {"config.yaml cannot be read"};
  std::map<std::string, std::string> was;
  std::map<std::string, std::string> is;
  Flatten(old_value.value(), "", was);
  Flatten(new_value.value(), "", is);
  std::vector<std::string> changes;
  for (const auto& [key, value] : was) {
    const auto found = is.find(key);
    if (found == is.end()) {
      changes.push_back(fmt::format("{}: {}, now removed", key, value));
    } else if (found->second != value) {
      changes.push_back(fmt::format("{}: {}, now {}", key, value, found->second));
    }
  }
  for (const auto& [key, value] : is) {
    if (!was.contains(key)) changes.push_back(fmt::format("{}: added, {}", key, value));
  }
  return changes;
}

std::string FirstFew(const std::vector<std::string>& changes) {
  constexpr size_t kFew = 8;
  std::string text;
  for (size_t i = 0; i < changes.size() && i < kFew; ++i) text += "\n  " + changes[i];
  if (changes.size() > kFew) {
    text += fmt::format("\n  and {} more", changes.size() - kFew);
  }
  return text;
}

Status CheckConfiguration(const RunSetup& setup, const Manifest& manifest,
                          const RunDir& run_dir) {
  const std::string directory = run_dir.root().string();
  const std::filesystem::path config =
      run_dir.config(manifest.earlier_commands.size() + 1);
  if (os::Exists(config)) {
    RIDGELINE_TRY(const std::string before, os::ReadFile(config));
    if (before != setup.config_yaml) {
      return Refusal(directory, "the configuration changed:" +
                                    FirstFew(ConfigChanges(before, setup.config_yaml)));
    }
  }
  if (Sha256(setup.resolved_config_yaml) != manifest.config_sha256) {
    return Refusal(directory,
                   "an interpolation now resolves to a different value, probably an "
                   "environment variable (${oc.env:...})");
  }
  return Ok();
}

Status CheckStages(const RunSetup& setup, const Manifest& manifest,
                   const RunDir& run_dir) {
  const auto& planned = setup.plan.stages;
  const auto& recorded = manifest.stages;
  const bool same = std::equal(
      planned.begin(), planned.end(), recorded.begin(), recorded.end(),
      [](const auto& plan, const auto& record) { return plan.name == record.name; });
  if (same) return Ok();
  return Refusal(run_dir.root().string(),
                 "the stages in manifest.json are not those of the configuration");
}

// A file named by an argument may be an output. It is one if it is recorded as such, did
// not exist when the run began, or was last written before a killed run ended: both times
// come from the file system, and the manifest is always written last.
Status DropOutputs(const RunDir& run_dir, const std::filesystem::path& inputs,
                   std::vector<pipeline::InputFile>& before,
                   std::vector<pipeline::InputFile>& now) {
  RIDGELINE_TRY(const os::FileStamp began, os::StampOf(inputs));
  RIDGELINE_TRY(const os::FileStamp ended, os::StampOf(run_dir.manifest()));
  std::set<std::string> outputs;
  for (const pipeline::InputFile& file : before) {
    if (file.role == pipeline::kOutputRole) outputs.insert(file.path);
  }
  for (const pipeline::InputFile& file : now) {
    if (file.role != pipeline::kArgumentRole) continue;
    const bool is_new = std::none_of(before.begin(), before.end(), [&](const auto& had) {
      return had.path == file.path;
    });
    const Result<os::FileStamp> stamp = os::StampOf(file.path);
    const bool was_written = stamp.ok() && stamp.value().changed_ns >= began.changed_ns &&
                             stamp.value().changed_ns <= ended.changed_ns;
    if (is_new || was_written) outputs.insert(file.path);
  }
  for (auto* const files : {&before, &now}) {
    std::erase_if(*files, [&](const auto& file) { return outputs.contains(file.path); });
  }
  return Ok();
}

Status CheckInputs(const RunSetup& setup, const Manifest& manifest,
                   const RunDir& run_dir) {
  const std::filesystem::path inputs =
      run_dir.inputs(manifest.earlier_commands.size() + 1);
  if (!os::Exists(inputs)) return Ok();  // Killed before anything was measured.
  RIDGELINE_TRY(const std::string text, os::ReadFile(inputs));
  RIDGELINE_TRY(auto before, pipeline::ParseInputs(text, inputs.string()));
  RIDGELINE_TRY(const auto paths, setup.plan.workload->Inputs());
  RIDGELINE_TRY(auto now, pipeline::DescribeInputs(paths));
  RIDGELINE_RETURN_IF_ERROR(DropOutputs(run_dir, inputs, before, now));
  const std::vector<std::string> changes = pipeline::InputChanges(before, now);
  if (changes.empty()) return Ok();
  return Refusal(run_dir.root().string(), "the inputs changed:" + FirstFew(changes));
}

// Secrets are not stored, so a command line that contained one cannot be repeated.
Status CheckArguments(const Manifest& manifest, const RunDir& run_dir) {
  for (const std::string& argument : manifest.arguments) {
    if (argument.find(kRedacted) == std::string::npos) continue;
    return Refusal(
        run_dir.root().string(),
        fmt::format("its command line contained a secret, which is not stored: "
                    "{}\nhint: start a new run; one that reads the secret from "
                    "a variable, '${{oc.env:NAME}}', can be resumed",
                    argument));
  }
  return Ok();
}

// The options the run was started with; verbosity and format are those of the current
// command.
Result<RunOptions> OptionsOf(const Manifest& manifest, const RunOptions& now) {
  RIDGELINE_TRY(RunOptions options, ParseRunOptions(manifest.arguments));
  options.verbosity = now.verbosity;
  options.json = now.json;
  return options;
}

void MakePendingAgain(Manifest& manifest) {
  ++manifest.attempts;
  manifest.pid = os::ProcessId();
  for (artifacts::StageRecord& stage : manifest.stages) {
    if (stage.state == State::kDone || stage.state == State::kDisabled) continue;
    stage.state = State::kPending;
    stage.reason.clear();
  }
}

}  // namespace

ridgeline::Result<ResumedRun, ExitStatus> PrepareResume(const RunOptions& options,
                                                        const Streams& streams) {
  const auto fail = [&streams](const Error& error) { return Fail(streams, error); };
  Result<std::filesystem::path> root = os::RealPath(options.resume);
  if (!root.ok())
    return fail(Error(ErrorCode::kConfig, "cannot resume: " + root.error().message()));
  const RunDir run_dir(std::move(root).value());
  // Locked before reading the manifest, so that it cannot change.
  auto lock = os::DirectoryLock::Try(run_dir.root());
  if (!lock.ok())
    return fail(Error(ErrorCode::kConfig, "cannot resume: " + lock.error().message()));
  if (!lock.value()) {
    return fail(Refusal(run_dir.root().string(), "another process is running it"));
  }
  Result<Manifest> manifest = ReadManifest(run_dir);
  if (!manifest.ok()) return fail(manifest.error());
  Status fine = CheckState(manifest.value(), run_dir);
  if (fine.ok()) fine = CheckArguments(manifest.value(), run_dir);
  if (fine.ok()) fine = os::ChangeDirectory(manifest.value().cwd);
  if (!fine.ok()) return fail(fine.error());
  Result<RunOptions> original = OptionsOf(manifest.value(), options);
  if (!original.ok()) return fail(original.error());
  Result<os::LocalTime> invoked = os::ParseLocalTime(manifest.value().invoked);
  if (!invoked.ok()) return fail(invoked.error());

  auto composed = ComposeFor(original.value().hydra, streams, invoked.value());
  if (!composed.ok()) return composed.error();
  auto setup = SetUpRun(std::move(composed).value(), original.value(), streams);
  if (!setup.ok()) return setup.error();
  const auto asked_for = os::RealPath(setup.value().job.output_directory);
  if (!asked_for.ok() || asked_for.value() != run_dir.root()) {
    // The configured directory was taken, so the run is in another one.
    setup = MoveRun(std::move(setup).value(), run_dir.root().string(), streams);
    if (!setup.ok()) return setup.error();
  }
  fine = CheckConfiguration(setup.value(), manifest.value(), run_dir);
  if (fine.ok()) fine = CheckStages(setup.value(), manifest.value(), run_dir);
  if (fine.ok()) fine = CheckInputs(setup.value(), manifest.value(), run_dir);
  if (!fine.ok()) return fail(fine.error());
  MakePendingAgain(manifest.value());
  return ResumedRun{std::move(*lock.value()), std::move(setup).value(),
                    std::move(original).value(),
                    pipeline::ManifestWriter(run_dir, std::move(manifest).value())};
}

}  // namespace ridgeline::app
