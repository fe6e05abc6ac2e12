#include "pipeline/stage_context.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "base/secrets.h"
#include "os/env.h"
#include "os/file_tail.h"
#include "os/files.h"
#include "os/scratch_directory.h"
#include "pipeline/plan_workload.h"
#include "ranks/launcher.h"
#include "ranks/rank_plan.h"

namespace ridgeline::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgressFile = "progress";
constexpr const char* kRankStatusFolder = "ranks";

}  // namespace

StageContext::StageContext(const RunServices& services, const PlannedStage& stage,
                           StagePlace place, double grace_s,
                           artifacts::StageRecord& record)
    : services_(services),
      stage_(stage),
      place_(std::move(place)),
      grace_s_(grace_s),
      started_(std::chrono::steady_clock::now()),
      record_(record) {}

std::optional<double> StageContext::TimeLeft() const {
  if (!stage_.timeout_s) return std::nullopt;
  const std::chrono::duration<double> used = std::chrono::steady_clock::now() - started_;
  return std::max(0.0, *stage_.timeout_s - used.count());
}

std::optional<Progress> StageContext::ReadProgress() const {
  const Result<std::string> text = os::ReadFile(place_.workload_scratch / kProgressFile);
  if (!text.ok()) return std::nullopt;  // Most workloads report no progress.
  return ParseProgress(text.value());
}

// Writes the command, ready to paste, including the creation of its directories, which
// may be gone by then.
Status StageContext::WriteCommandFile(const PlannedCommand& planned) const {
  if (planned.command_file.empty()) return Ok();
  bool lacks_secrets = WithoutSecrets(planned.command.argv) != planned.command.argv;
  std::string commands = planned.command.ToShellString() + "\n";
  if (!planned.ranks.empty()) {
    commands = fmt::format("# {}, started together by: {}",
                           Plural(planned.ranks.size(), "rank"), commands);
    for (size_t rank = 0; rank < planned.ranks.size(); ++rank) {
      const os::Command& command = planned.ranks[rank].command;
      commands += fmt::format("# rank {}\n{}\n", rank, command.ToShellString());
      lacks_secrets |= WithoutSecrets(command.argv) != command.argv;
    }
  }
  const std::string text = fmt::format(
      "# stage {}: {}\n{}mkdir -p {} {}\n{}", stage_.name, planned.purpose,
      lacks_secrets ? fmt::format("# secrets are not recorded: replace {}\n", kRedacted)
                    : "",
      os::ShellQuoted(place_.directory.string()),
      os::ShellQuoted(place_.workload_scratch.string()), commands);
  return Write(planned.command_file, text);
}

// The file whose growth is shown while the command runs; empty: none.
std::string StageContext::LogSeen(const PlannedCommand& planned) const {
  if (planned.ranks.empty()) return planned.second_log;
  for (size_t rank = 0; rank < planned.ranks.size(); ++rank) {
    if (!planned.ranks[rank].profiled) continue;
    return ranks::RankFile(planned.second_log.empty() ? planned.log : planned.second_log,
                           static_cast<int64_t>(rank));
  }
  return "";
}

Result<os::ProcessResult> StageContext::RunHere(const PlannedCommand& planned,
                                                const os::Command& command) {
  os::ProcessOptions options;
  options.log_file = place_.directory / planned.log;
  if (!planned.output.empty()) options.output_file = place_.directory / planned.output;
  options.append_to_log = place_.continues;
  options.timeout_s = TimeLeft();
  options.grace_s = grace_s_;
  options.terminate_on_interrupt = !planned.ranks.empty();
  options.on_output = [this](std::string_view bytes) {
    services_.observer.CommandOutput(bytes);
  };
  const std::string seen = LogSeen(planned);
  os::FileTail second_log(place_.directory / seen);
  const auto show_second_log = [&] {
    if (!seen.empty()) services_.observer.CommandOutput(second_log.ReadNew());
  };
  options.on_tick = [&](double) {
    show_second_log();
    const std::chrono::duration<double> elapsed =
        std::chrono::steady_clock::now() - started_;
    services_.observer.StageProgress(stage_.name, elapsed.count(), ReadProgress());
  };
  Result<os::ProcessResult> result = services_.processes.Run(command, options);
  show_second_log();
  return result;
}

void StageContext::Pause(std::chrono::milliseconds time) const {
  if (services_.signals != nullptr) services_.signals->WaitFor(time);
}

// Each rank has its own TMPDIR on its host; the first rank reports progress.
Status StageContext::WriteRankPlan(const PlannedCommand& planned) const {
  const fs::path statuses = place_.directory / kRankStatusFolder;
  RIDGELINE_RETURN_IF_ERROR(owned().Remove(statuses));
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(statuses));
  ranks::RankPlan plan = {.launcher = place_.workload.ranks()->launcher,
                          .status_directory = statuses,
                          // Their ends must be recorded before our own timeout.
                          .grace_s = grace_s_ / 2,
                          .has_private_temporary = stage_.plan.needs_private_temporary,
                          .shared_temporaries = stage_.plan.shared_temporaries,
                          .tasks = {}};
  for (size_t rank = 0; rank < planned.ranks.size(); ++rank) {
    const std::string log = ranks::RankFile(planned.log, static_cast<int64_t>(rank));
    plan.tasks.push_back({planned.ranks[rank].command, (place_.directory / log).string(),
                          planned.takes_turns && planned.ranks[rank].profiled});
  }
  plan.tasks.front().command.environment.emplace(
      kProgressVariable, (place_.workload_scratch / kProgressFile).string());
  return os::WritePrivateFile(place_.workload_scratch / kRankPlanFile,
                              ranks::ToJson(plan));
}

void StageContext::TakeRanks(const PlannedCommand& planned, os::ProcessResult& launcher) {
  ranks::RankFiles files = {place_.directory / kRankStatusFolder, {}};
  for (size_t rank = 0; rank < planned.ranks.size(); ++rank) {
    files.logs.push_back(place_.directory /
                         ranks::RankFile(planned.log, static_cast<int64_t>(rank)));
  }
  ranks_ = ranks::ReadRanksEnd(files, launcher);
  record_.ranks.clear();
  for (size_t rank = 0; rank < ranks_.ranks.size(); ++rank) {
    ranks_.ranks[rank].record.profiled = planned.ranks[rank].profiled;
    record_.ranks.push_back(ranks_.ranks[rank].record);
  }
  const std::optional<ranks::RankFailure> failure = ranks::FailureOf(ranks_);
  if (failure) record_.outcome = failure->outcome;
  launcher = ranks_.AsOneProcess();
}

Result<os::ProcessResult> StageContext::RunOnRanks(const PlannedCommand& planned) {
  RIDGELINE_RETURN_IF_ERROR(WriteRankPlan(planned));
  Result<os::ProcessResult> result = RunHere(planned, planned.command);
  if (result.ok()) TakeRanks(planned, result.value());
  // It contains the commands as they are, including all secrets.
  const os::OwnedDirectory scratch(place_.workload_scratch);
  RIDGELINE_RETURN_IF_ERROR(scratch.Remove(place_.workload_scratch / kRankPlanFile));
  return result;
}

Result<os::ProcessResult> StageContext::Run(const PlannedCommand& planned) {
  RIDGELINE_RETURN_IF_ERROR(WriteCommandFile(planned));
  services_.observer.CommandStarted(stage_.name, planned.purpose, planned.command);
  if (!planned.ranks.empty()) {
    Result<os::ProcessResult> result = RunOnRanks(planned);
    WriteDown(planned, result);
    if (!result.ok()) return std::move(result).error().While(planned.purpose);
    return result;
  }
  os::Command command = planned.command;
  command.environment.emplace(kProgressVariable,
                              (place_.workload_scratch / kProgressFile).string());
  const fs::path temporary = place_.workload_scratch / "private";
  if (stage_.plan.needs_private_temporary) {
    RIDGELINE_RETURN_IF_ERROR(os::CreatePrivateDirectory(temporary));
    for (const std::string& name : stage_.plan.shared_temporaries) {
      RIDGELINE_RETURN_IF_ERROR(
          os::MakeLink(os::TemporaryDirectory() / name, temporary / name));
    }
    command.environment.emplace("TMPDIR", temporary.string());
  }
  Result<os::ProcessResult> result = RunHere(planned, command);
  WriteDown(planned, result);
  if (stage_.plan.needs_private_temporary) {
    const os::OwnedDirectory scratch(place_.workload_scratch);
    RIDGELINE_RETURN_IF_ERROR(scratch.Remove(temporary));
  }
  if (!result.ok()) return std::move(result).error().While(planned.purpose);
  return result;
}

void StageContext::SetRankOutcome(int64_t rank, std::string name) {
  for (artifacts::RankRecord& record : record_.ranks) {
    if (record.rank == rank) record.outcome = std::move(name);
  }
}

void StageContext::WriteDown(const PlannedCommand& planned,
                             const Result<os::ProcessResult>& result) {
  artifacts::ProcessRecord process;
  process.purpose = planned.purpose;
  process.argv = WithoutSecrets(planned.command.argv);
  process.directory = planned.command.directory.string();
  process.log = stage_.name + "/" + planned.log;
  if (result.ok()) {
    const os::ProcessResult& ran = result.value();
    process.ended = os::Describe(ran);
    process.exit_code = ran.exit_code;
    process.signal = ran.signal;
    process.timed_out = ran.timed_out;
    process.leftover_processes = ran.leftover_processes;
    process.wall_s = ran.wall_s;
    process.user_s = ran.user_s;
    process.system_s = ran.system_s;
    process.peak_rss_bytes = ran.peak_rss_bytes;
    process.output_bytes = ran.output_bytes;
    if (ran.leftover_processes > 0) {
      Note(fmt::format("{}: terminated leftover processes: {}", planned.purpose,
                       ran.leftover_processes));
    }
  } else {
    process.ended = result.error().message();
    const ErrorCode code = result.error().code();
    if (code == ErrorCode::kNotFound || code == ErrorCode::kCannotStart) {
      start_error_ = code;
    }
  }
  record_.processes.push_back(std::move(process));
}

Status StageContext::CheckEnd(const PlannedCommand& planned,
                              const os::ProcessResult& result) const {
  if (result.ok()) return Ok();
  std::string log = planned.log;
  std::string text = fmt::format("{}: {}", planned.purpose, os::Describe(result));
  const auto failure = planned.ranks.empty() ? std::nullopt : ranks::FailureOf(ranks_);
  if (failure) {
    text = fmt::format("{}: {}{}{}", planned.purpose, failure->outcome,
                       failure->outcome.empty() ? "" : ": ", failure->text);
    if (const ranks::RankEnd* rank = ranks_.FirstFailed()) {
      log = ranks::RankFile(log, rank->record.rank);
    }
  }
  if (result.timed_out) {
    text += fmt::format(" (pipeline.{}.timeout_s={})", stage_.name,
                        stage_.timeout_s.value_or(0));
  }
  const std::string last = failure ? "" : ranks::LastLine(result.output);
  if (!last.empty()) text += fmt::format("; last line of output: {}", last);
  text += fmt::format("; see {}/{}", stage_.name, log);
  return Error(ErrorCode::kTool, text);
}

Status StageContext::PrepareWorkload(const WorkloadPlace& workload) const {
  // Only this run writes there, so it may be removed.
  const os::OwnedDirectory above(place_.workload_scratch.parent_path());
  RIDGELINE_RETURN_IF_ERROR(above.Remove(place_.workload_scratch));
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(place_.workload_scratch));
  return place_.workload.Prepare(workload);
}

Status StageContext::Write(std::string_view name, std::string_view text) const {
  return os::WriteText(place_.directory / name, text);
}

}  // namespace ridgeline::pipeline
