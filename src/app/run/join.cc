#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/run/run_files.h"
#include "app/run/run_setup.h"
#include "config/tree/select.h"
#include "config/value/python_text.h"
#include "config/value/yaml_load.h"
#include "os/files.h"
#include "pipeline/legacy_keys.h"

namespace ridgeline::app {
namespace {

using artifacts::Manifest;
using artifacts::RunDir;
using artifacts::State;

bool IsTrue(RunSetup& setup, std::string_view key) {
  config::Result<config::Node*> node =
      config::Select(setup.composed->workspace, *setup.job.config, key);
  return node.ok() && node.value() != nullptr &&
         config::PythonEqual(node.value()->value, config::Value(true));
}

// A directory named after the time is never shared.
bool NamesDirectory(const RunOptions& options) {
  const std::vector<std::string> overrides =
      pipeline::RewriteLegacyOverrides(options.hydra.overrides).overrides;
  return std::any_of(overrides.begin(), overrides.end(), [](const std::string& text) {
    return text.starts_with("hydra.run.dir=");
  });
}

const config::Value* Find(const config::Value& tree, std::string_view path) {
  const config::Value* value = &tree;
  for (const std::string& part : config::SplitKey(path)) {
    if (!value->is_dict()) return nullptr;
    value = value->dict().Find(part);
    if (value == nullptr) return nullptr;
  }
  return value;
}

// Commands belong to the same experiment if they run the same program on the same device
// and data. The number of pages and tokens per stage may differ.
constexpr const char* kIdentity[] = {"device", "model", "pipeline.workload",
                                     "dataset.root"};

// The first key that differs; empty: none.
Result<std::string> Difference(const RunDir& run_dir, const RunSetup& setup) {
  RIDGELINE_TRY(const std::string text, os::ReadFile(run_dir.config()));
  const auto before = config::LoadYaml(text, run_dir.config().string());
  const auto now = config::LoadYaml(setup.config_yaml, "configuration");
  if (!before.ok() || !now.ok()) return std::string("config.yaml");
  for (const char* key : kIdentity) {
    const config::Value* was = Find(before.value(), key);
    const config::Value* is = Find(now.value(), key);
    const bool same =
        was == nullptr || is == nullptr ? was == is : config::PythonEqual(*was, *is);
    if (!same) return std::string(key);
  }
  return std::string();
}

// The first stage of `setup` that the run already has; empty: none.
std::string FirstShared(Manifest& manifest, const RunSetup& setup) {
  for (const pipeline::PlannedStage& stage : setup.plan.stages) {
    const artifacts::StageRecord* record = manifest.Find(stage.name);
    if (stage.enabled && (record == nullptr || record->state != State::kDisabled)) {
      return stage.name;
    }
  }
  return "";
}

// Why the stages of `setup` cannot be added; empty: they can.
std::string Obstacle(Manifest& manifest, const RunDir& run_dir, const RunSetup& setup,
                     bool asked_for) {
  if (manifest.state != State::kDone && manifest.state != State::kFailed) {
    return fmt::format("its run is {}", ToText(manifest.state));
  }
  const std::string shared = FirstShared(manifest, setup);
  if (!shared.empty()) return "it has " + shared + " already";
  if (asked_for) return "";
  const Result<std::string> key = Difference(run_dir, setup);
  if (!key.ok()) return key.error().message();
  return key.value().empty() ? "" : key.value() + " differs; run.join=true adds to it";
}

// Combined manifest of both commands.
Manifest Joined(Manifest earlier, Manifest now) {
  now.earlier_commands = std::move(earlier.earlier_commands);
  now.earlier_commands.push_back({std::move(earlier.arguments), earlier.cwd,
                                  earlier.invoked, earlier.config_sha256});
  for (artifacts::StageRecord& stage : now.stages) {
    artifacts::StageRecord* had = earlier.Find(stage.name);
    if (stage.state == State::kDisabled && had != nullptr) stage = std::move(*had);
  }
  return now;
}

}  // namespace

ridgeline::Result<std::optional<JoinedRun>, ExitStatus> PrepareJoin(
    RunSetup& setup, const RunOptions& options, const Streams& streams) {
  const bool asked_for = IsTrue(setup, "run.join");
  const RunDir run_dir(setup.job.output_directory);
  const bool may_join = asked_for || (NamesDirectory(options) && !options.sweep_job);
  if (!may_join || !os::Exists(run_dir.manifest())) return std::optional<JoinedRun>();
  auto lock = os::DirectoryLock::Try(run_dir.root());
  if (!lock.ok()) return Fail(streams, lock.error());
  Result<std::string> text = os::ReadFile(run_dir.manifest());
  if (!text.ok()) return Fail(streams, text.error());
  Result<Manifest> manifest =
      artifacts::ParseManifest(text.value(), run_dir.manifest().string());
  if (!manifest.ok()) return Fail(streams, manifest.error());
  const std::string obstacle = lock.value()
                                   ? Obstacle(manifest.value(), run_dir, setup, asked_for)
                                   : "another process is running it";
  if (obstacle.empty()) {
    Manifest both =
        Joined(std::move(manifest).value(), NewManifest(setup, options, run_dir));
    streams.err << "ridgeline: note: adding to the run in " << run_dir.root().string()
                << '\n';
    return std::optional<JoinedRun>(JoinedRun{
        std::move(*lock.value()), pipeline::ManifestWriter(run_dir, std::move(both))});
  }
  const std::string what =
      fmt::format("cannot add to {}: {}", run_dir.root().string(), obstacle);
  if (asked_for) return Fail(streams, Error(ErrorCode::kConfig, "run.join: " + what));
  streams.err << "ridgeline: note: " << what << '\n';
  return std::optional<JoinedRun>();
}

}  // namespace ridgeline::app
