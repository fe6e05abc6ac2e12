#include "app/run/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <limits>
#include <ostream>
#include <set>
#include <sstream>
#include <thread>

#include "app/run/run_setup.h"
#include "app/version.h"
#include "base/secrets.h"
#include "config/compose/multirun.h"
#include "config/reader.h"
#include "config/tree/evaluate.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "config/value/redact.h"
#include "config/value/yaml_dump.h"
#include "launchers/slurm_script.h"

namespace ridgeline::app {
namespace {

using artifacts::SweepJob;
using config::Node;
using config::Workspace;

constexpr std::string_view kSlurmTargets[] = {
    "ridgeline.launchers.Slurm",
    "hydra_plugins.hydra_submitit_launcher.submitit_launcher.SlurmLauncher"};
constexpr std::string_view kSubmititLocal =
    "hydra_plugins.hydra_submitit_launcher.submitit_launcher.LocalLauncher";

int Processors() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

config::Status ReadSlurmLauncher(Workspace& workspace, Node& launcher, SweepPlan& plan) {
  RIDGELINE_TRY(plan.slurm, launchers::ReadSlurmOptions(workspace, launcher,
                                                        launchers::SubmititKind::kSlurm));
  plan.sweep.launcher = "slurm";
  plan.sweep.parallel_jobs = static_cast<int>(
      std::min<int64_t>(plan.slurm->array_parallelism, std::numeric_limits<int>::max()));
  plan.sweep.max_num_timeout = static_cast<int>(
      std::min<int64_t>(plan.slurm->max_num_timeout, std::numeric_limits<int>::max()));
  if (plan.slurm->has_python) {
    plan.notes.emplace_back("hydra.launcher.python is ignored: jobs start ridgeline");
  }
  const int64_t delay_s = launchers::SignalDelay(*plan.slurm);
  if (delay_s < plan.slurm->signal_delay_s) {
    plan.notes.push_back(fmt::format(
        "hydra.launcher.signal_delay_s is {} s, not {} s: a job has {} min in total",
        delay_s, plan.slurm->signal_delay_s, plan.slurm->timeout_min));
  }
  return Ok();
}

config::Status ReadSubmititLocal(Workspace& workspace, Node& launcher, SweepPlan& plan) {
  RIDGELINE_TRY(
      const launchers::SlurmOptions options,
      launchers::ReadSlurmOptions(workspace, launcher, launchers::SubmititKind::kLocal));
  constexpr double kMinuteS = 60;
  plan.sweep.launcher = "local";
  plan.sweep.parallel_jobs = Processors();
  plan.sweep.timeout_s = static_cast<double>(options.timeout_min) * kMinuteS;
  return Ok();
}

config::Status ReadLocal(Workspace& workspace, Node& launcher, SweepPlan& plan) {
  std::optional<int64_t> count;
  config::Reader reader(workspace, launcher);
  reader.Ignore("_target_");
  reader.ReadOptional("n_jobs", count);
  if (count && *count < 1) reader.AddError("n_jobs", "must be at least 1");
  RIDGELINE_RETURN_IF_ERROR(reader.Finish());
  plan.sweep.launcher = "local";
  plan.sweep.parallel_jobs =
      count ? static_cast<int>(std::min<int64_t>(*count, std::numeric_limits<int>::max()))
            : Processors();
  return Ok();
}

// Reads where jobs run, and how many at once.
config::Status ReadLauncher(Workspace& workspace, Node& root, SweepPlan& plan) {
  RIDGELINE_TRY(Node * launcher, config::Select(workspace, root, "hydra.launcher"));
  RIDGELINE_TRY(Node * target,
                config::Select(workspace, root, "hydra.launcher._target_"));
  const std::string name = target == nullptr ? "" : config::Str(target->value);
  if (name.ends_with("BasicLauncher")) {
    plan.sweep.launcher = "basic";
    return Ok();
  }
  if (name == "ridgeline.launchers.Local") return ReadLocal(workspace, *launcher, plan);
  if (name == kSubmititLocal) return ReadSubmititLocal(workspace, *launcher, plan);
  if (std::find(std::begin(kSlurmTargets), std::end(kSlurmTargets), name) !=
      std::end(kSlurmTargets)) {
    return ReadSlurmLauncher(workspace, *launcher, plan);
  }
  config::Error error(config::ErrorKind::kValidation,
                      "hydra/launcher: unsupported launcher '" + name + "'");
  error.hint =
      "hydra/launcher=basic runs jobs sequentially, hydra/launcher=local in parallel, "
      "hydra/launcher=slurm on a cluster";
  return error;
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

// Flags of the sweep that also apply to its jobs.
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
    if (plan_.sweep.jobs.empty()) {
      return Fail(streams_, Error(ErrorCode::kConfig,
                                  "the sweep has no jobs: a range() or glob() of its "
                                  "overrides has no values"));
    }
    return std::move(plan_);
  }

 private:
  config::Status PlanAll() {
    Workspace& workspace = composed_->workspace;
    const config::ComposeRequest& request = composed_->here.request;
    RIDGELINE_TRY(const config::Sweep sweep,
                  config::PlanSweep(workspace, composed_->composition, request));
    RIDGELINE_RETURN_IF_ERROR(
        ReadLauncher(workspace, *composed_->composition.root, plan_));
    plan_.sweep.ridgeline_version = std::string(Version());
    plan_.sweep.arguments = options_.arguments;
    plan_.sweep.working_directory = request.working_directory;
    plan_.sweep.directory = config::NormalizePath(
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
        SweepJob job;
        job.number = number++;
        job.overrides = WithoutSecrets(own);
        AddArguments(sweep, overrides, job);
        plan_.sweep.jobs.push_back(std::move(job));
      }
    }
    SetUpJobs();
    return Ok();
  }

  void AddArguments(const config::Sweep& sweep, const config::JobOverrides& overrides,
                    SweepJob& job) const {
    job.arguments = CommonArguments(options_);
    for (const std::string& line : sweep.hydra_overrides) {
      if (!line.starts_with("hydra.mode=")) job.arguments.push_back(line);
    }
    job.arguments.insert(job.arguments.end(), overrides.begin(), overrides.end());
    job.arguments.push_back(QuotedOverride("hydra.sweep.dir", plan_.sweep.directory));
    job.arguments.push_back(fmt::format("hydra.job.num={}", job.number));
    job.arguments.push_back(fmt::format("hydra.job.id='{}'", job.number));
  }

  // Validates all configurations before the first job runs. An error common to all jobs
  // is printed once.
  void SetUpJobs() {
    std::vector<SweepJob>& jobs = plan_.sweep.jobs;
    std::vector<std::optional<std::string>> mistakes(jobs.size());
    std::atomic<size_t> next = 0;
    const auto work = [&] {
      for (size_t i = next++; i < jobs.size(); i = next++) {
        std::ostringstream printed;
        if (!SetUpJob(jobs[i], {printed, printed})) mistakes[i] = printed.str();
      }
    };
    std::vector<std::future<void>> workers;
    const size_t count = std::min(static_cast<size_t>(Processors()), jobs.size());
    for (size_t i = 0; i < count; ++i) {
      // Fewer at once if no more threads can be started.
      workers.push_back(std::async(std::launch::async | std::launch::deferred, work));
    }
    for (std::future<void>& worker : workers) worker.get();
    for (size_t i = 0; i < jobs.size(); ++i) {
      if (!mistakes[i] || !printed_.insert(*mistakes[i]).second) continue;
      streams_.err << fmt::format("ridgeline: job {} ({}):\n", jobs[i].number,
                                  fmt::join(jobs[i].overrides, " "))
                   << *mistakes[i];
    }
  }

  // Composes the job once, to get its directory and its errors.
  bool SetUpJob(SweepJob& job, const Streams& mistakes) const {
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

  // hydra.sweep.subdir may differ by job: it may contain ${hydra.job.num}.
  config::Status PlaceJob(ComposedHere& composed, SweepJob& job) const {
    Workspace& workspace = composed.workspace;
    config::UseHydraNode(workspace, *composed.composition.root);
    RIDGELINE_TRY(
        Node * subdirectory,
        config::Select(workspace, *composed.composition.root, "hydra.sweep.subdir"));
    const std::string name =
        subdirectory == nullptr ? "None" : config::StrOf(config::Resolved(subdirectory));
    job.directory = config::NormalizePath(config::JoinPath(plan_.sweep.directory, name));
    job.arguments.push_back(QuotedOverride("hydra.run.dir", job.directory));
    return config::AddOverrides(workspace, composed.composition, {job.arguments.back()});
  }

  const RunOptions& options_;
  const Streams& streams_;
  std::unique_ptr<ComposedHere> composed_;
  SweepPlan plan_;
  std::set<std::string> printed_;  // Errors of jobs.
};

}  // namespace

ridgeline::Result<SweepPlan, ExitStatus> PlanSweepJobs(const RunOptions& options,
                                                       const Streams& streams) {
  return SweepPlanner(options, streams).Plan();
}

}  // namespace ridgeline::app
