#include "app/run/sweep_plan.h"

#include <fmt/format.h>

#include <ostream>
#include <set>
#include <sstream>
#include <thread>

#include "app/run/run_setup.h"
#include "config/compose/multirun.h"
#include "config/reader.h"
#include "config/tree/evaluate.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "config/value/redact.h"
#include "config/value/yaml_dump.h"

namespace ridgeline::app {
namespace {

using config::Node;
using config::Workspace;

// How many jobs the configured launcher runs at once.
config::Result<size_t> ParallelJobs(Workspace& workspace, Node& root) {
  RIDGELINE_TRY(Node * launcher, config::Select(workspace, root, "hydra.launcher"));
  RIDGELINE_TRY(Node * target,
                config::Select(workspace, root, "hydra.launcher._target_"));
  const std::string name = target == nullptr ? "" : config::Str(target->value);
  if (name.ends_with("BasicLauncher")) return size_t{1};
  if (name != "ridgeline.launchers.Local") {
    config::Error error(config::ErrorKind::kValidation,
                        "hydra/launcher: unsupported launcher '" + name + "'");
    error.hint =
        "hydra/launcher=basic runs jobs sequentially, hydra/launcher=local in parallel";
    return error;
  }
  std::optional<int64_t> count;
  config::Reader reader(workspace, *launcher);
  reader.Ignore("_target_");
  reader.ReadOptional("n_jobs", count);
  if (count && *count < 1) reader.AddError("n_jobs", "must be at least 1");
  RIDGELINE_RETURN_IF_ERROR(reader.Finish());
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  return count ? static_cast<size_t>(*count) : size_t{processors};
}

// Overrides common to all jobs; they are not shown per job.
std::set<std::string> SharedOverrides(const config::Sweep& sweep) {
  std::set<std::string> shared;
  bool is_first = true;
  for (const config::JobBatch& batch : sweep.batches) {
    for (const config::JobOverrides& overrides : batch) {
      const std::set<std::string> own(overrides.begin(), overrides.end());
      if (is_first) shared = own;
      is_first = false;
      std::erase_if(shared, [&](const std::string& line) { return !own.contains(line); });
    }
  }
  return shared;
}

// The flags of the sweep that also hold for its jobs.
std::vector<std::string> CommonArguments(const RunOptions& options) {
  std::vector<std::string> arguments = {"run", "--sweep-job"};
  const auto add = [&arguments](const char* flag, const std::string& value) {
    if (!value.empty()) arguments.insert(arguments.end(), {flag, value});
  };
  add("--config-path", options.hydra.config_path);
  add("--config-name", options.hydra.config_name);
  add("--config-dir", options.hydra.config_dir);
  return arguments;
}

class SweepPlanner {
 public:
  SweepPlanner(const RunOptions& options, const Streams& streams)
      : options_(options), streams_(streams) {}

  ridgeline::Result<SweepPlan, ExitStatus> Plan() {
    HydraOptions hydra = options_.hydra;
    hydra.action = HydraOptions::Action::kMultirun;
    hydra.overrides.emplace_back("hydra.mode=MULTIRUN");
    auto composed = ComposeFor(hydra, streams_);
    if (!composed.ok()) return composed.error();
    composed_ = std::move(composed).value();
    config::Status planned = PlanAll();
    if (!planned.ok()) return Fail(streams_, planned.error());
    if (!printed_.empty()) return ExitStatus::kUsage;
    return std::move(plan_);
  }

 private:
  config::Status PlanAll() {
    Workspace& workspace = composed_->workspace;
    const config::ComposeRequest& request = composed_->here.request;
    RIDGELINE_TRY(const config::Sweep sweep,
                  config::PlanSweep(workspace, composed_->composition, request));
    RIDGELINE_TRY(plan_.parallel_jobs,
                  ParallelJobs(workspace, *composed_->composition.root));
    plan_.directory = config::NormalizePath(
        config::JoinPath(request.working_directory, sweep.directory));
    plan_.multirun_yaml = config::DumpYaml(
        config::WithoutSecrets(config::ToValue(*composed_->composition.root)));
    const std::set<std::string> shared = SharedOverrides(sweep);
    int number = 0;
    for (const config::JobBatch& batch : sweep.batches) {
      for (const config::JobOverrides& overrides : batch) {
        std::vector<std::string> own = overrides;
        std::erase_if(own,
                      [&](const std::string& line) { return shared.contains(line); });
        PlannedJob job;
        job.number = number++;
        job.overrides = fmt::format("{}", fmt::join(own, " "));
        PlanJob(sweep, overrides, job);
        plan_.jobs.push_back(std::move(job));
      }
    }
    return Ok();
  }

  // All configurations are validated before the first job runs. An error common to all
  // jobs is printed once.
  void PlanJob(const config::Sweep& sweep, const config::JobOverrides& overrides,
               PlannedJob& job) {
    job.arguments = CommonArguments(options_);
    for (const std::string& line : sweep.hydra_overrides) {
      if (!line.starts_with("hydra.mode=")) job.arguments.push_back(line);
    }
    job.arguments.insert(job.arguments.end(), overrides.begin(), overrides.end());
    job.arguments.push_back(QuotedOverride("hydra.sweep.dir", plan_.directory));
    job.arguments.push_back(fmt::format("hydra.job.num={}", job.number));
    job.arguments.push_back(fmt::format("hydra.job.id='{}'", job.number));
    std::ostringstream mistakes;
    if (SetUpJob(job, {mistakes, mistakes})) return;
    if (!printed_.insert(mistakes.str()).second) return;
    streams_.err << fmt::format("ridgeline: job {} ({}):\n", job.number, job.overrides)
                 << mistakes.str();
  }

  // Composes the job once, which gives its directory and shows what is wrong with it.
  bool SetUpJob(PlannedJob& job, const Streams& mistakes) {
    Result<RunOptions> options = ParseRunOptions(std::span(job.arguments).subspan(1));
    if (!options.ok()) {
      Fail(mistakes, options.error());
      return false;
    }
    auto composed =
        ComposeFor(options.value().hydra, mistakes, composed_->workspace.world().now);
    if (!composed.ok()) return false;
    config::Status placed = PlaceJob(*composed.value(), job);
    if (!placed.ok()) {
      Fail(mistakes, placed.error());
      return false;
    }
    return SetUpRun(std::move(composed).value(), options.value(), mistakes).ok();
  }

  // hydra.sweep.subdir is the job's own: it may contain ${hydra.job.num}.
  config::Status PlaceJob(ComposedHere& composed, PlannedJob& job) const {
    Workspace& workspace = composed.workspace;
    config::UseHydraNode(workspace, *composed.composition.root);
    RIDGELINE_TRY(
        Node * subdirectory,
        config::Select(workspace, *composed.composition.root, "hydra.sweep.subdir"));
    const std::string name =
        subdirectory == nullptr ? "None" : config::StrOf(config::Resolved(subdirectory));
    job.directory = config::NormalizePath(config::JoinPath(plan_.directory, name));
    job.arguments.push_back(QuotedOverride("hydra.run.dir", job.directory));
    return config::AddOverrides(workspace, composed.composition, {job.arguments.back()});
  }

  const RunOptions& options_;
  const Streams& streams_;
  std::unique_ptr<ComposedHere> composed_;
  SweepPlan plan_;
  std::set<std::string> printed_;  // What is wrong with jobs.
};

}  // namespace

ridgeline::Result<SweepPlan, ExitStatus> PlanSweepJobs(const RunOptions& options,
                                                       const Streams& streams) {
  return SweepPlanner(options, streams).Plan();
}

}  // namespace ridgeline::app
