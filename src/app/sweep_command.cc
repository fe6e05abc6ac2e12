#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/flags.h"
#include "app/run/sweep_plan.h"
#include "app/sweep/follow_sweep.h"
#include "app/sweep/run_slurm_job.h"
#include "app/sweep/slurm_launcher.h"
#include "app/sweep/sweep_lock.h"
#include "base/json.h"
#include "base/plural.h"
#include "base/secrets.h"
#include "config/tree/suggest.h"
#include "os/directory_lock.h"
#include "os/env.h"
#include "os/files.h"
#include "os/process_runner.h"

namespace ridgeline::app {
namespace {

using artifacts::State;
using artifacts::SweepDir;
using artifacts::SweepJob;
using artifacts::SweepManifest;
using SweepJson = nlohmann::ordered_json;

constexpr Flag kSweepFlags[] = {
    {"--json", "", Flag::Takes::kNothing, "",
     "status: the jobs as JSON; others: events as JSON Lines"},
    {"--quiet", "-q", Flag::Takes::kNothing, "", "errors only"},
    {"--help", "-h", Flag::Takes::kNothing, "", "show this help"},
};

constexpr const char* kSweepUsage =
    "ridgeline sweep status|attach|cancel|resume DIR\n"
    "  Shows or controls a sweep (ridgeline run -m), on this machine or on Slurm:\n"
    "    status  print the state of every job\n"
    "    attach  show the jobs until the last one has ended; Ctrl-C detaches\n"
    "    cancel  end all jobs that wait in Slurm or run there\n"
    "    resume  rerun jobs that are neither done nor running; finished stages of a job\n"
    "            are kept\n";

struct SweepCall {
  SweepManifest sweep;
  SweepPrinter::Style style;
};

// The plan from the directory; the state of the jobs comes from SweepState.
Result<SweepManifest> ReadPlanOf(const std::string& directory) {
  const Result<std::filesystem::path> root = os::RealPath(directory);
  if (!root.ok()) return Error(ErrorCode::kConfig, root.error().message());
  const SweepDir files(root.value());
  if (!os::Exists(files.manifest())) {
    return Error(
        ErrorCode::kConfig,
        root.value().string() +
            ": not a sweep directory, it has no sweep.json\nhint: `ridgeline run "
            "-m` prints the directory of a sweep");
  }
  RIDGELINE_TRY(const std::string text, os::ReadFile(files.manifest()));
  RIDGELINE_TRY(SweepManifest sweep,
                artifacts::ParseSweep(text, files.manifest().string()));
  const Result<std::filesystem::path> recorded = os::RealPath(sweep.directory);
  if (!recorded.ok() || recorded.value() != root.value()) {
    return Error(ErrorCode::kConfig,
                 fmt::format("{}: the sweep was moved; its jobs refer to {}",
                             root.value().string(), sweep.directory));
  }
  return sweep;
}

SweepJson JobStatusJson(const SweepJob& job) {
  return {{"job", job.number},
          {"state", ToText(job.state)},
          {"outcome", job.outcome.empty() ? SweepJson() : SweepJson(job.outcome)},
          {"reason", job.reason.empty() ? SweepJson() : SweepJson(job.reason)},
          {"exit_code", OrNull(job.exit_code)},
          {"wall_s", OrNull(job.wall_s)},
          {"attempts", job.attempts},
          {"host", job.host.empty() ? SweepJson() : SweepJson(job.host)},
          {"slurm_id", job.slurm_id.empty() ? SweepJson() : SweepJson(job.slurm_id)},
          {"overrides", job.overrides},
          {"directory", job.directory}};
}

void PrintStatusJson(const SweepState& state, std::ostream& out) {
  SweepJson jobs = SweepJson::array();
  for (const SweepJob& job : state.sweep().jobs) jobs.push_back(JobStatusJson(job));
  const SweepJson json = {{"schema_version", artifacts::kSweepVersion},
                          {"directory", state.sweep().directory},
                          {"launcher", state.sweep().launcher},
                          {"created", state.sweep().created},
                          {"is_over", state.IsOver()},
                          {"damaged", state.sweep().damaged},
                          {"jobs", std::move(jobs)}};
  out << DumpJson(json, 2) << '\n';
}

void WarnOfSilence(const SweepState& state, const Streams& streams) {
  if (state.silence().empty()) return;
  streams.err << fmt::format(
      "ridgeline: warning: the Slurm controller does not answer ({}); this is what the "
      "jobs themselves recorded\n",
      state.silence());
}

ExitStatus ShowStatus(const SweepCall& call, launchers::SlurmClient& client,
                      const Streams& streams) {
  SweepState state(call.sweep, client);
  const Status fresh = state.Refresh();
  if (!fresh.ok()) return Fail(streams, fresh.error());
  WarnOfSilence(state, streams);
  for (const std::string& message : state.sweep().damaged) {
    streams.err << "ridgeline: " << DamageNote(message) << '\n';
  }
  if (call.style.json) {
    PrintStatusJson(state, streams.out);
  } else {
    streams.out << SweepTable(state.sweep().jobs);
  }
  return ExitStatus::kDone;
}

ExitStatus Attach(const SweepCall& call, launchers::SlurmClient& /*client*/,
                  const Streams& streams) {
  SweepPrinter printer(call.style, streams);
  return FollowSweep(call.sweep, Past::kSkip, printer, streams);
}

size_t CountOf(const SweepState& state, JobPhase phase) {
  size_t count = 0;
  for (size_t i = 0; i < state.sweep().jobs.size(); ++i) {
    count += state.PhaseOf(i) == phase ? 1 : 0;
  }
  return count;
}

// The process that runs the jobs of a local sweep, and how to end it.
std::string LauncherOf(const SweepManifest& sweep) {
  for (const SweepJob& job : sweep.jobs) {
    const auto files = artifacts::ReadAttemptsOf(SweepDir(sweep.directory), job.number);
    if (job.state != State::kRunning || !files.ok() || files.value().empty()) continue;
    const artifacts::Attempt attempt = artifacts::Joined(files.value().rbegin()->second);
    return fmt::format(
        "process {0} on {1} runs the jobs of this sweep\n"
        "hint: end it with Ctrl-C in its terminal, or with `kill -INT {0}` on {1}",
        attempt.pid, attempt.host);
  }
  return "another process runs the jobs of this sweep\n"
         "hint: end it with Ctrl-C in its terminal";
}

ExitStatus CancelLocally(const SweepState& state, SweepPrinter& printer,
                         const Streams& streams) {
  if (CountOf(state, JobPhase::kActive) > 0) {
    return Fail(streams, Error(ErrorCode::kConfig, LauncherOf(state.sweep())));
  }
  printer.Note("nothing to cancel: no job of this sweep is running");
  streams.out << SweepTable(state.sweep().jobs);
  return ExitStatus::kDone;
}

// `before`: when scancel was called; `now`: after the last job ended, or Ctrl-C.
std::string CancelSummary(const SweepState& before, const SweepState& now) {
  size_t cancelled = 0;
  size_t meanwhile = 0;
  for (size_t i = 0; i < now.sweep().jobs.size(); ++i) {
    if (before.PhaseOf(i) != JobPhase::kActive) continue;
    const bool is_cancelled = now.sweep().jobs[i].outcome == "Cancelled";
    cancelled += is_cancelled ? 1 : 0;
    meanwhile += !is_cancelled && now.PhaseOf(i) == JobPhase::kEnded ? 1 : 0;
  }
  if (CountOf(before, JobPhase::kActive) == 0) {
    return "nothing to cancel: no job of this sweep is in Slurm";
  }
  const size_t active = CountOf(now, JobPhase::kActive);
  const size_t never = CountOf(now, JobPhase::kNotSubmitted);
  std::string text =
      fmt::format("cancelled {}; {} had already ended", Plural(cancelled, "job"),
                  CountOf(before, JobPhase::kEnded));
  if (meanwhile > 0) text += fmt::format("; {} ended before the signal", meanwhile);
  if (never > 0) text += fmt::format("; {} not submitted", never);
  return text + (active == 0 ? "; none left in Slurm"
                             : fmt::format("; {} still in Slurm", active));
}

ExitStatus Cancel(const SweepCall& call, launchers::SlurmClient& client,
                  const Streams& streams) {
  SweepPrinter printer(call.style, streams);
  SweepState state(call.sweep, client);
  if (!state.UsesSlurm()) {
    const Status fresh = state.Refresh();
    if (!fresh.ok()) return Fail(streams, fresh.error());
    return CancelLocally(state, printer, streams);
  }
  // Held until scancel returns, so that no job is submitted meanwhile.
  Result<os::DirectoryLock> locked = LockSweep(call.sweep, printer);
  if (!locked.ok()) return Fail(streams, locked.error());
  std::optional<os::DirectoryLock> lock = std::move(locked).value();
  const Status fresh = state.Refresh(&*lock);
  if (!fresh.ok()) return Fail(streams, fresh.error());
  if (!state.silence().empty()) {
    return Fail(streams,
                Error(ErrorCode::kTool,
                      "the Slurm controller does not answer: " + state.silence()));
  }
  const std::vector<std::string> arrays = state.ActiveArrays();
  if (!arrays.empty()) {
    const Status cancelled = client.Cancel(arrays);
    if (!cancelled.ok()) return Fail(streams, cancelled.error());
  }
  lock.reset();
  const ExitStatus followed = FollowSweep(call.sweep, Past::kSkip, printer, streams);
  SweepState now(call.sweep, client);
  const Status settled = now.Refresh();
  if (settled.ok() && printer.IsTalkative()) printer.Note(CancelSummary(state, now));
  return followed == ExitStatus::kFailed ? ExitStatus::kDone : followed;
}

// Jobs to run again: indexes into sweep.jobs.
std::vector<size_t> JobsToResume(const SweepState& state) {
  std::vector<size_t> jobs;
  for (size_t i = 0; i < state.sweep().jobs.size(); ++i) {
    const SweepJob& job = state.sweep().jobs[i];
    const bool is_done = job.state == State::kDone && !job.lacks_run;
    if (!is_done && state.PhaseOf(i) != JobPhase::kActive) jobs.push_back(i);
  }
  return jobs;
}

Status CheckStored(const SweepManifest& sweep, const std::vector<size_t>& jobs) {
  for (const size_t index : jobs) {
    for (const std::string& argument : sweep.jobs[index].arguments) {
      if (argument.find(kRedacted) == std::string::npos) continue;
      return Error(
          ErrorCode::kConfig,
          fmt::format("job {}: its arguments contained a secret, which is not "
                      "stored: {}\nhint: start a new sweep; one that reads the "
                      "secret from a variable, '${{oc.env:NAME}}', can be resumed",
                      sweep.jobs[index].number, argument));
    }
  }
  return Ok();
}

Status SubmitAgain(const SweepManifest& sweep, const std::vector<size_t>& indices,
                   launchers::SlurmClient& client) {
  RIDGELINE_RETURN_IF_ERROR(CheckJobScript(sweep));
  RIDGELINE_TRY(const auto limits, CheckCluster(sweep, client));
  std::vector<int> jobs;
  for (const size_t index : indices) jobs.push_back(sweep.jobs[index].number);
  return SubmitJobs(sweep, jobs, limits, client);
}

// Each resume gets a higher number than all earlier attempts.
int NextSubmission(const std::vector<SweepJob>& jobs) {
  int next = 1;
  for (const SweepJob& job : jobs) {
    if (job.attempt) next = std::max(next, job.attempt->submission + 1);
  }
  return next;
}

ExitStatus Resume(const SweepCall& call, launchers::SlurmClient& client,
                  const Streams& streams) {
  SweepPrinter printer(call.style, streams);
  // Held from choosing the jobs until they are submitted, or have ended on this machine.
  Result<os::DirectoryLock> locked = LockSweep(call.sweep, printer);
  if (!locked.ok()) return Fail(streams, locked.error());
  std::optional<os::DirectoryLock> lock = std::move(locked).value();
  SweepState state(call.sweep, client);
  const Status fresh = state.Refresh(&*lock);
  if (!fresh.ok()) return Fail(streams, fresh.error());
  if (!state.silence().empty()) {
    return Fail(streams, Error(ErrorCode::kTool,
                               "the Slurm controller does not answer, so that it is not "
                               "known which jobs still run: " +
                                   state.silence()));
  }
  const std::vector<size_t> jobs = JobsToResume(state);
  if (jobs.empty()) {
    lock.reset();
    if (!state.IsOver()) return Attach(call, client, streams);
    printer.Note("nothing to resume: all jobs are done");
    return ExitStatus::kDone;
  }
  const Status stored = CheckStored(call.sweep, jobs);
  if (!stored.ok()) return Fail(streams, stored.error());
  printer.Note("resuming " + PartOf(jobs.size(), call.sweep.jobs.size(), "job"));
  if (state.UsesSlurm()) {
    const Status submitted = SubmitAgain(call.sweep, jobs, client);
    if (!submitted.ok()) return Fail(streams, submitted.error());
    lock.reset();
    return Attach(call, client, streams);
  }
  SweepManifest sweep = state.sweep();
  return FollowLocally(sweep, jobs, NextSubmission(sweep.jobs), printer, streams);
}

std::optional<int> NumberOf(const std::string& text) {
  int number = -1;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number =
      error == std::errc() && end == text.data() + text.size() && number >= 0;
  return is_number ? std::optional(number) : std::nullopt;
}

// ridgeline sweep run-job DIR SUBMISSION JOB: internal, for the job script.
ExitStatus RunJobOnNode(const std::vector<std::string>& words, const Streams& streams) {
  const auto submission = words.size() == 4 ? NumberOf(words[2]) : std::nullopt;
  const auto job = words.size() == 4 ? NumberOf(words[3]) : std::nullopt;
  if (!submission || !job) {
    return Fail(streams, UsageError("sweep run-job is for the job script of a sweep"));
  }
  return RunSlurmJob(words[1], *submission, *job, streams);
}

struct SweepAction {
  std::string_view name;
  ExitStatus (*run)(const SweepCall& call, launchers::SlurmClient& client,
                    const Streams& streams);
};

constexpr SweepAction kSweepActions[] = {
    {"status", ShowStatus}, {"attach", Attach}, {"cancel", Cancel}, {"resume", Resume}};

Result<const SweepAction*> SweepActionOf(const std::vector<std::string>& words) {
  if (words.empty()) return UsageError("sweep needs status, attach, cancel or resume");
  std::vector<std::string> names;
  for (const SweepAction& action : kSweepActions) {
    if (words[0] == action.name && words.size() == 2) return &action;
    if (words[0] == action.name) {
      return UsageError(fmt::format("sweep {} takes one sweep directory", action.name));
    }
    names.emplace_back(action.name);
  }
  const std::string nearest = config::Nearest(words[0], names);
  return UsageError("unknown action '" + words[0] + "'\nhint: " +
                    (nearest.empty() ? "status, attach, cancel or resume"
                                     : "did you mean '" + nearest + "'?"));
}

}  // namespace

ExitStatus SweepCommand(std::span<const std::string> arguments, const Streams& streams) {
  const Result<ParsedFlags> flags = ParseFlags(kSweepFlags, arguments);
  if (!flags.ok()) return Fail(streams, flags.error());
  if (flags.value().Has("--help")) {
    streams.out << kSweepUsage << '\n' << FlagsHelp(kSweepFlags);
    return ExitStatus::kDone;
  }
  const std::vector<std::string>& words = flags.value().words;
  if (!words.empty() && words[0] == "run-job") return RunJobOnNode(words, streams);
  const Result<const SweepAction*> action = SweepActionOf(words);
  if (!action.ok()) return Fail(streams, action.error());
  Result<SweepManifest> sweep = ReadPlanOf(words[1]);
  if (!sweep.ok()) return Fail(streams, sweep.error());
  SweepCall call = {.sweep = std::move(sweep).value(), .style = {}};
  call.style.json = flags.value().Has("--json");
  call.style.is_quiet = flags.value().Has("--quiet");
  call.style.live_columns = os::TerminalColumns(os::Stream::kError);
  os::SystemProcessRunner processes;
  launchers::SlurmClient client(processes);
  return action.value()->run(call, client, streams);
}

}  // namespace ridgeline::app
