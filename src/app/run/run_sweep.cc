#include <fmt/format.h>

#include <numeric>
#include <ostream>

#include "app/command_support.h"
#include "app/run/run_job.h"
#include "app/run/run_setup.h"
#include "app/run/sweep_plan.h"
#include "app/sweep/follow_sweep.h"
#include "app/sweep/local_launcher.h"
#include "app/sweep/slurm_launcher.h"
#include "app/sweep/sweep_lock.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/process_runner.h"

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;
using artifacts::SweepDir;
using artifacts::SweepJob;

// Claims the directory by writing multirun.yaml; false if another sweep has it. Existing
// files without multirun.yaml belong to the user.
Result<bool> Claim(const SweepPlan& plan) {
  const SweepDir directory(plan.sweep.directory);
  std::vector<fs::path> written = {directory.manifest(), directory.jobs(),
                                   directory.submissions()};
  for (const char* const name :
       {"sweep.html", "sweep.md", "sweep.csv", "sweep_report.json", ".submitit"}) {
    written.push_back(directory.root() / name);
  }
  for (const SweepJob& job : plan.sweep.jobs)
    written.push_back(directory.log(job.number));
  for (const fs::path& path : written) {
    const bool is_there = os::Exists(path) || os::IsLink(path);
    if (!is_there || os::Exists(directory.multirun())) continue;
    return Error(ErrorCode::kConfig,
                 path.string() +
                     ": exists, and would be overwritten; choose a new or empty "
                     "directory with hydra.sweep.dir=DIR");
  }
  RIDGELINE_RETURN_IF_ERROR(os::CreatePrivateDirectory(directory.root()));
  return os::WriteFileExclusively(directory.multirun(), plan.multirun_yaml);
}

// Plans again with another name for as long as the directory is taken.
ridgeline::Result<SweepPlan, ExitStatus> PlanAndClaim(const RunOptions& options,
                                                      const Streams& streams) {
  auto plan = PlanSweepJobs(options, streams);
  if (!plan.ok() || options.dry_run) return plan;
  if (plan.value().slurm) {
    os::SystemProcessRunner processes;
    launchers::SlurmClient client(processes);
    const auto ready = CheckCluster(plan.value().sweep, client);
    if (!ready.ok()) return Fail(streams, ready.error());
  }
  const std::string wanted = plan.value().sweep.directory;
  for (int number = 2;; ++number) {
    const Result<bool> claimed = Claim(plan.value());
    if (!claimed.ok()) return Fail(streams, claimed.error());
    if (claimed.value()) return plan;
    RunOptions again = options;
    again.hydra.overrides.push_back(
        QuotedOverride("hydra.sweep.dir", fmt::format("{}-{}", wanted, number)));
    std::ostream nowhere(nullptr);
    plan = PlanSweepJobs(again, {nowhere, nowhere});
    if (!plan.ok()) return plan;
    plan.value().notes.push_back(fmt::format("{} has an earlier sweep; this one is in {}",
                                             wanted, plan.value().sweep.directory));
  }
}

ExitStatus Submit(const SweepPlan& plan, const Streams& streams) {
  os::SystemProcessRunner processes;
  launchers::SlurmClient client(processes);
  const auto limits = CheckCluster(plan.sweep, client);
  if (!limits.ok()) return Fail(streams, limits.error());
  std::vector<int> jobs(plan.sweep.jobs.size());
  std::iota(jobs.begin(), jobs.end(), 0);
  const Status submitted = SubmitJobs(plan.sweep, jobs, limits.value(), client);
  if (!submitted.ok()) return Fail(streams, submitted.error());
  return ExitStatus::kDone;
}

ExitStatus RunHere(SweepPlan& plan, SweepPrinter& printer, const Streams& streams) {
  std::vector<size_t> jobs(plan.sweep.jobs.size());
  std::iota(jobs.begin(), jobs.end(), size_t{0});
  return FollowLocally(plan.sweep, jobs, 0, printer, streams);
}

}  // namespace

ExitStatus RunSweep(const RunOptions& options, const Streams& streams) {
  auto planned = PlanAndClaim(options, streams);
  if (!planned.ok()) return planned.error();
  SweepPlan& plan = planned.value();
  if (options.dry_run) {
    PrintSweepPlan(plan, streams.out);
    if (!plan.slurm) return ExitStatus::kDone;
    const auto script = PlanJobScript(*plan.slurm, plan.sweep);
    if (!script.ok()) return Fail(streams, script.error());
    streams.out << fmt::format("\n  {}\n{}", script.value().path.string(),
                               script.value().text);
    return ExitStatus::kDone;
  }
  plan.sweep.created = os::Timestamp();
  SweepPrinter printer(StyleOf(options), streams);
  for (const std::string& note : plan.notes) printer.Note("note: " + note);
  if (plan.slurm) {
    const Status written = WriteJobScript(*plan.slurm, plan.sweep);
    if (!written.ok()) return Fail(streams, written.error());
  }
  // Locked before there is a sweep to resume.
  Result<os::DirectoryLock> locked = LockSweep(plan.sweep, printer);
  if (!locked.ok()) return Fail(streams, locked.error());
  std::optional<os::DirectoryLock> lock = std::move(locked).value();
  const Status written =
      artifacts::WriteSweep(SweepDir(plan.sweep.directory), plan.sweep);
  if (!written.ok()) return Fail(streams, written.error());
  printer.SweepStarted(plan.sweep);
  if (!plan.slurm) return RunHere(plan, printer, streams);
  const ExitStatus submitted = Submit(plan, streams);
  if (submitted != ExitStatus::kDone) return submitted;
  lock.reset();
  return FollowSweep(plan.sweep, Past::kShow, printer, streams);
}

}  // namespace ridgeline::app
