#include "launchers/slurm_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "launchers/slurm_script.h"

namespace ridgeline::launchers {
namespace {

using artifacts::Attempt;
using artifacts::AttemptId;
using artifacts::State;
using artifacts::SweepJob;

constexpr int kSignalMask = 0x7f;
constexpr int kExitShift = 8;
// slurmstepd could not open the script's output files.
constexpr int kNoOutputFile = 53;

struct StateRow {
  std::string_view slurm;
  SlurmPhase phase;
  State state;
  std::string_view outcome;
  std::string_view reason;
};

// All states of Slurm 22.05 to 24.05.
constexpr std::array kStateRows = {
    StateRow{"PENDING", SlurmPhase::kWaiting, State::kPending, "", ""},
    StateRow{"REQUEUED", SlurmPhase::kWaiting, State::kPending, "", ""},
    StateRow{"REQUEUE_FED", SlurmPhase::kWaiting, State::kPending, "", ""},
    StateRow{"REQUEUE_HOLD", SlurmPhase::kWaiting, State::kPending, "", ""},
    StateRow{"RESV_DEL_HOLD", SlurmPhase::kWaiting, State::kPending, "", ""},
    StateRow{"SPECIAL_EXIT", SlurmPhase::kWaiting, State::kPending, "", ""},
    StateRow{"CONFIGURING", SlurmPhase::kWaiting, State::kPending, "", ""},
    StateRow{"POWER_UP_NODE", SlurmPhase::kWaiting, State::kPending, "", ""},
    StateRow{"RUNNING", SlurmPhase::kRunning, State::kRunning, "", ""},
    StateRow{"COMPLETING", SlurmPhase::kRunning, State::kRunning, "", ""},
    StateRow{"RESIZING", SlurmPhase::kRunning, State::kRunning, "", ""},
    StateRow{"SIGNALING", SlurmPhase::kRunning, State::kRunning, "", ""},
    StateRow{"STAGE_OUT", SlurmPhase::kRunning, State::kRunning, "", ""},
    StateRow{"STOPPED", SlurmPhase::kRunning, State::kRunning, "", ""},
    StateRow{"SUSPENDED", SlurmPhase::kRunning, State::kRunning, "", ""},
    StateRow{"COMPLETED", SlurmPhase::kEnded, State::kFailed, "StatusLost",
             "the job ended without recording how: full disk, or a directory that is not "
             "shared?"},
    StateRow{"FAILED", SlurmPhase::kEnded, State::kFailed, "Killed",
             "the job was killed before it could record how it ended"},
    StateRow{"LAUNCH_FAILED", SlurmPhase::kEnded, State::kFailed, "NeverStarted",
             "Slurm could not start the job"},
    StateRow{"TIMEOUT", SlurmPhase::kEnded, State::kFailed, "Timeout",
             "time limit reached (hydra.launcher.timeout_min)"},
    StateRow{"DEADLINE", SlurmPhase::kEnded, State::kFailed, "Timeout",
             "deadline reached"},
    StateRow{"NODE_FAIL", SlurmPhase::kEnded, State::kFailed, "NodeFailure",
             "the node failed"},
    StateRow{"BOOT_FAIL", SlurmPhase::kEnded, State::kFailed, "NodeFailure",
             "the node did not boot"},
    StateRow{"RECONFIG_FAIL", SlurmPhase::kEnded, State::kFailed, "NodeFailure",
             "the node could not be reconfigured"},
    StateRow{"OUT_OF_MEMORY", SlurmPhase::kEnded, State::kFailed, "OutOfMemory",
             "out of memory (hydra.launcher.mem_gb)"},
    StateRow{"CANCELLED", SlurmPhase::kEnded, State::kInterrupted, "Cancelled", ""},
    StateRow{"REVOKED", SlurmPhase::kEnded, State::kInterrupted, "Cancelled",
             "revoked: started in another cluster of the federation"},
    StateRow{"PREEMPTED", SlurmPhase::kEnded, State::kInterrupted, "Preempted",
             "preempted by another job"},
};

// A state from a newer Slurm: the job is assumed to be alive, so that it is never
// submitted twice.
constexpr StateRow kUnknownState = {"", SlurmPhase::kRunning, State::kRunning, "", ""};

// "CANCELLED by 1000" in accounting.
const StateRow& RowOf(std::string_view state) {
  state = state.substr(0, state.find(' '));
  const auto* const found =
      std::find_if(kStateRows.begin(), kStateRows.end(),
                   [&](const StateRow& row) { return row.slurm == state; });
  return found == kStateRows.end() ? kUnknownState : *found;
}

std::vector<std::string_view> SplitFields(std::string_view line, size_t count) {
  std::vector<std::string_view> fields;
  while (fields.size() + 1 < count) {
    const size_t bar = line.find('|');
    if (bar == std::string_view::npos) return {};
    fields.push_back(line.substr(0, bar));
    line.remove_prefix(bar + 1);
  }
  fields.push_back(line);
  return fields;
}

template <typename Visit>
void ForEachLine(std::string_view text, Visit&& visit) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    visit(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

std::optional<int> NumberIn(std::string_view text) {
  int number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "4", or for tasks that were never started, combined: "[1,3,5-9%2]", "[0-8:2]".
std::vector<int> TaskIndices(std::string_view text) {
  constexpr int kMaxIndex = 4'000'000;  // The largest possible MaxArraySize.
  constexpr auto kNone = std::string_view::npos;
  if (text.starts_with('[') && text.ends_with(']')) {
    text = text.substr(1, text.size() - 2);
  }
  text = text.substr(0, text.find('%'));
  std::vector<int> indices;
  while (!text.empty()) {
    std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const size_t colon = part.find(':');
    const int step = colon == kNone ? 1 : NumberIn(part.substr(colon + 1)).value_or(0);
    part = part.substr(0, colon);
    const size_t dash = part.find('-');
    const std::optional<int> first = NumberIn(part.substr(0, dash));
    const std::optional<int> last =
        dash == kNone ? first : NumberIn(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last > kMaxIndex || step < 1) return {};
    for (int index = *first; index <= *last; index += step) indices.push_back(index);
  }
  return indices;
}

std::string Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

std::string NodesText(const SlurmTask& task) {
  return task.nodes.empty() ? "" : " on " + task.nodes;
}

// Why a job left no status at all, if the job script or Slurm reveals it.
std::string WhyNeverStarted(const SlurmTask& task) {
  if (task.exit_code == kCannotSeeSweep || task.signal == kNoOutputFile) {
    return fmt::format(
        "the sweep directory cannot be read or written{}: put it on a file system that "
        "all nodes share (hydra.sweep.dir)",
        NodesText(task));
  }
  if (task.exit_code == kCannotSeeProgram) {
    return fmt::format(
        "ridgeline cannot be executed{}: install it at the same path there",
        NodesText(task));
  }
  return fmt::format(
      "it left no status{}; Slurm: {}, exit code {}:{}{}; see its log, and whether the "
      "sweep directory is shared",
      NodesText(task), task.state, task.exit_code, task.signal,
      task.reason.empty() ? "" : ", " + task.reason);
}

Attempt Kept(const SweepJob& job, const AttemptId& id, const SlurmEnd& end) {
  Attempt attempt;
  attempt.id = id;
  attempt.host = job.host;
  attempt.slurm_id = job.slurm_id;
  attempt.state = end.state;
  attempt.outcome = end.outcome;
  attempt.reason = end.reason;
  attempt.exit_code = job.exit_code;
  attempt.wall_s = job.wall_s;
  return attempt;
}

Attempt EndJob(const AttemptId& id, const SlurmEnd& end, SweepJob& job) {
  job.state = end.state;
  job.outcome = end.outcome;
  job.reason = end.reason;
  return Kept(job, id, end);
}

}  // namespace

std::vector<std::string> QueueArguments() {
  return {"--noheader", "--array", "--states=all",
          "--Format=ArrayJobID:|,ArrayTaskID:|,State:|,RestartCnt:|,exit_code:|,"
          "NodeList:|,Reason:|,Command:|"};
}

// 123|4|FAILED|0|768|n1|NonZeroExitCode|/sweep/.submitit/job.sh 0 0|
std::vector<SlurmTask> ParseQueue(std::string_view text) {
  constexpr size_t kFields = 8;
  std::vector<SlurmTask> tasks;
  ForEachLine(text, [&](std::string_view line) {
    const auto fields = SplitFields(line, kFields);
    if (fields.empty()) return;
    const std::optional<int> index = NumberIn(fields[1]);
    const std::optional<int> restart = NumberIn(fields[3]);
    const int status = NumberIn(fields[4]).value_or(0);
    if (!NumberIn(fields[0]) || !index || !restart) return;
    SlurmTask task;
    task.array_id = fields[0];
    task.index = *index;
    task.state = fields[2];
    task.restart = *restart;
    task.exit_code = status >> kExitShift;
    task.signal = status & kSignalMask;
    task.nodes = fields[5];
    task.reason = fields[6] == "None" ? "" : std::string(fields[6]);
    task.command = Trimmed(fields[7].substr(0, fields[7].find_last_of('|')));
    tasks.push_back(std::move(task));
  });
  return tasks;
}

std::vector<std::string> AccountingArguments(const std::vector<std::string>& array_ids) {
  return {"--noheader", "--parsable2", "--allocations",
          "--jobs=" + fmt::format("{}", fmt::join(array_ids, ",")),
          "--format=JobID,State,ExitCode,NodeList"};
}

// 123_4|CANCELLED by 0|0:15|n1
// 123_[5-9%2]|CANCELLED by 0|0:0|None assigned
std::vector<SlurmTask> ParseAccounting(std::string_view text) {
  constexpr size_t kFields = 4;
  std::vector<SlurmTask> tasks;
  ForEachLine(text, [&](std::string_view line) {
    const auto fields = SplitFields(line, kFields);
    if (fields.empty()) return;
    const size_t underscore = fields[0].find('_');
    const size_t colon = fields[2].find(':');
    if (underscore == std::string_view::npos || colon == std::string_view::npos) return;
    SlurmTask task;
    task.array_id = fields[0].substr(0, underscore);
    task.state = fields[1].substr(0, fields[1].find(' '));
    task.exit_code = NumberIn(fields[2].substr(0, colon)).value_or(0);
    task.signal = NumberIn(fields[2].substr(colon + 1)).value_or(0);
    task.nodes = fields[3] == "None assigned" ? "" : std::string(fields[3]);
    for (const int index : TaskIndices(fields[0].substr(underscore + 1))) {
      task.index = index;
      tasks.push_back(task);
    }
  });
  return tasks;
}

SlurmPhase PhaseOf(std::string_view state) { return RowOf(state).phase; }

SlurmEnd EndOf(const SlurmTask& task, bool started) {
  const StateRow& row = RowOf(task.state);
  const bool says_nothing = row.outcome == "Killed" || row.outcome == "StatusLost";
  if (!started && says_nothing) {
    return {State::kFailed, "NeverStarted", WhyNeverStarted(task)};
  }
  std::string reason(row.reason);
  if (row.outcome == "NodeFailure") reason += task.nodes.empty() ? "" : ": " + task.nodes;
  constexpr int kFirstSignalCode = 128;
  if (row.outcome == "Killed" && task.signal == 0 && task.exit_code < kFirstSignalCode) {
    return {
        State::kFailed, "StatusLost",
        fmt::format("exit code {}, and the end was not recorded: full disk? See its log",
                    task.exit_code)};
  }
  if (row.outcome == "Killed") {
    reason +=
        fmt::format(" (signal {})",
                    task.signal != 0 ? task.signal : task.exit_code - kFirstSignalCode);
  }
  if (!started && row.slurm == "CANCELLED") reason += "before it started";
  return {row.state, std::string(row.outcome), reason};
}

std::vector<std::string> Outcomes() {
  std::vector<std::string> names = {"NeverStarted", "Unknown"};
  for (const StateRow& row : kStateRows) {
    const std::string name(row.outcome);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  return names;
}

std::optional<Attempt> ApplySlurm(const SlurmTask& task, int submission, SweepJob& job) {
  if (job.state == State::kDone) return std::nullopt;
  const AttemptId id = {submission, task.restart};
  if (job.attempt && *job.attempt > id) return std::nullopt;  // Outdated.
  // Whether the job started in this attempt.
  const bool began = job.attempt && *job.attempt == id && job.attempts > 0;
  const StateRow& row = RowOf(task.state);
  if (row.phase != SlurmPhase::kEnded) {
    if (began && job.state != State::kPending) return std::nullopt;
    job.state = row.state;
    job.slurm_id = task.id();
    job.host = task.nodes;
    job.reason = task.reason;
    job.exit_code.reset();
    return std::nullopt;
  }
  const bool ended_itself = began && job.has_end && job.state != State::kPending;
  if (ended_itself &&
      (!MayKnowMore(job) || row.outcome == "Killed" || row.outcome == "StatusLost")) {
    return std::nullopt;
  }
  job.slurm_id = task.id();
  if (!task.nodes.empty()) job.host = task.nodes;
  // It requested a requeue after a timeout and did not get it.
  if (began && job.state == State::kPending && !job.outcome.empty() &&
      row.outcome != "Cancelled") {
    return EndJob(id, {State::kFailed, job.outcome, job.reason}, job);
  }
  return EndJob(id, EndOf(task, began), job);
}

std::optional<Attempt> ApplyForgotten(const std::string& task_id, int submission,
                                      SweepJob& job) {
  const bool ended = job.state != State::kRunning && job.state != State::kPending;
  if (ended) return std::nullopt;
  const bool began = job.attempt && job.attempt->submission >= submission;
  const AttemptId id = began ? *job.attempt : AttemptId{submission, 0};
  job.slurm_id = task_id;
  if (began && !job.outcome.empty()) {
    return EndJob(id, {State::kFailed, job.outcome, job.reason}, job);
  }
  const std::string reason = fmt::format(
      "Slurm no longer knows {}, and the job {}", task_id,
      began ? "recorded no end"
            : "never began: cancelled while pending, or the sweep directory is not "
              "shared");
  return EndJob(id, {State::kFailed, began ? "Unknown" : "NeverStarted", reason}, job);
}

bool MayKnowMore(const SweepJob& job) {
  return job.outcome.empty() && !job.slurm_id.empty() &&
         (job.state == State::kInterrupted || job.state == State::kFailed);
}

}  // namespace ridgeline::launchers
