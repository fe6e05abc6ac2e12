#include "ranks/run_rank.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <thread>

#include "os/clock.h"
#include "os/directory_lock.h"
#include "os/env.h"
#include "os/files.h"
#include "os/process_runner.h"
#include "os/scratch_directory.h"
#include "ranks/rank_status.h"

namespace ridgeline::ranks {
namespace {

constexpr int kNotStarted = 126;
constexpr int kProgramMissing = 127;

Status CheckIdentity(const RankPlan& plan, const RankIdentity& identity) {
  const auto count = std::ssize(plan.tasks);
  const bool fits = identity.rank < count && identity.world_size.value_or(count) == count;
  if (fits) return Ok();
  return Error(
      ErrorCode::kConfig,
      fmt::format("{} started rank {} of {}, but pipeline.workload.ranks.count={}",
                  ToText(plan.launcher), identity.rank,
                  identity.world_size ? std::to_string(*identity.world_size) : "unknown",
                  count));
}

RankStatus StartOf(const RankPlan& plan, const RankIdentity& identity,
                   std::map<std::string, std::string> environment) {
  RankStatus status;
  status.rank = identity.rank;
  status.local_rank = identity.local_rank;
  status.world_size = identity.world_size;
  // Slurm's node name; several nodes may be on one host.
  const auto node = environment.find("SLURMD_NODENAME");
  if (plan.launcher == Launcher::kSrun && node != environment.end()) {
    status.host = node->second;
  } else if (const Result<std::string> host = os::HostName(); host.ok()) {
    status.host = host.value();
  }
  status.pid = os::ProcessId();
  status.started = os::Timestamp();
  status.started_unix_ns = os::UnixTimeNs();
  const os::Command& command = plan.tasks[static_cast<size_t>(identity.rank)].command;
  for (const auto& [name, value] : command.environment) environment[name] = value;
  status.environment = RankVariables(environment);
  return status;
}

// Slurm signals every process of a step: the program may have died from it before we got
// ours.
std::optional<int> InterruptedBy(const os::ProcessResult& end,
                                 const os::SignalWatch& signals) {
  if (end.interrupted_by || !signals.first()) return end.interrupted_by;
  constexpr int kFirstSignalCode = 128;
  const bool is_by_signal = end.exit_code == kFirstSignalCode + *signals.first();
  return is_by_signal ? signals.first() : std::nullopt;
}

void AddEnd(const Result<os::ProcessResult>& ran, const os::SignalWatch& signals,
            RankStatus& status) {
  status.ended_unix_ns = os::UnixTimeNs();
  if (!ran.ok()) {
    status.error = ran.error().message();
    status.exit_code =
        ran.error().code() == ErrorCode::kNotFound ? kProgramMissing : kNotStarted;
    return;
  }
  const os::ProcessResult& end = ran.value();
  // Not the current time: we have waited for leftover processes since.
  status.ended_unix_ns = status.started_unix_ns + static_cast<int64_t>(end.wall_s * 1e9);
  status.exit_code = end.exit_code;
  status.signal = end.signal;
  status.interrupted_by = InterruptedBy(end, signals);
  status.wall_s = end.wall_s;
  status.user_s = end.user_s;
  status.system_s = end.system_s;
  status.peak_rss_bytes = end.peak_rss_bytes;
  status.leftover_processes = end.leftover_processes;
  status.output_bytes = end.output_bytes;
}

// PMI of Slurm and MPICH communicates with the launcher through a descriptor.
std::optional<int> InheritedDescriptor() {
  const std::string text = os::GetEnv("PMI_FD").value_or("");
  int number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && number > 2 ? std::optional(number) : std::nullopt;
}

// On this host: a TMPDIR shared between hosts does not support sockets.
Result<std::optional<os::ScratchDirectory>> MakeTemporary(const RankPlan& plan,
                                                          os::Command& command) {
  using Nothing = std::optional<os::ScratchDirectory>;
  if (!plan.has_private_temporary) return Nothing();
  RIDGELINE_TRY(os::ScratchDirectory temporary, os::ScratchDirectory::Make("rank"));
  for (const std::string& name : plan.shared_temporaries) {
    RIDGELINE_RETURN_IF_ERROR(
        os::MakeLink(os::TemporaryDirectory() / name, temporary.path() / name));
  }
  command.environment.emplace("TMPDIR", temporary.path().string());
  return Nothing(std::move(temporary));
}

// Nsight tools that start at the same time on a host disturb each other: of four nsys
// 2022.4 started together, one in ten times one fails. Ranks therefore start them one
// after the other.
void WaitForTurn(const os::SignalWatch& signals) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kBetweenStarts = std::chrono::milliseconds(700);
  constexpr auto kLongestWait = std::chrono::seconds(60);
  constexpr auto kPoll = std::chrono::milliseconds(20);
  const auto deadline = Clock::now() + kLongestWait;
  while (!signals.first() && Clock::now() < deadline) {
    const auto lock = os::DirectoryLock::Try(os::TemporaryDirectory());
    if (!lock.ok()) return;
    std::this_thread::sleep_for(lock.value() ? kBetweenStarts : kPoll);
    if (lock.value()) return;
  }
}

}  // namespace

Result<int> RunRank(const RankPlan& plan, const RankIdentity& identity,
                    const os::SignalWatch& signals) {
  RIDGELINE_RETURN_IF_ERROR(CheckIdentity(plan, identity));
  const RankTask& task = plan.tasks[static_cast<size_t>(identity.rank)];
  if (task.takes_turns) WaitForTurn(signals);
  const auto file = StatusFile(plan.status_directory, identity.rank);
  RankStatus status = StartOf(plan, identity, os::Environment());
  RIDGELINE_RETURN_IF_ERROR(os::WriteFileAtomically(file, ToJson(status)));
  os::Command command = task.command;
  RIDGELINE_TRY(const auto temporary, MakeTemporary(plan, command));
  os::ProcessOptions options;
  options.log_file = task.log;
  options.grace_s = plan.grace_s;
  options.inherited_fd = InheritedDescriptor();
  const Result<os::ProcessResult> ran =
      os::SystemProcessRunner(&signals).Run(command, options);
  AddEnd(ran, signals, status);
  RIDGELINE_RETURN_IF_ERROR(os::WriteFileAtomically(file, ToJson(status)));
  return *status.exit_code;
}

}  // namespace ridgeline::ranks
