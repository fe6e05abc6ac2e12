#include "ranks/rank_end.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "os/file_tail.h"
#include "os/files.h"
#include "ranks/rank_status.h"

namespace ridgeline::ranks {
namespace {

using artifacts::RankRecord;
using artifacts::RankState;

constexpr double kNsPerS = 1e9;

std::string EndOfLog(const std::filesystem::path& path) {
  constexpr size_t kKept = size_t{64} << 10;
  os::FileTail tail(path);
  std::string end;
  for (std::string part = tail.ReadNew(); !part.empty(); part = tail.ReadNew()) {
    end = std::move(part);
  }
  if (end.size() > kKept) end.erase(0, end.size() - kKept);
  return end;
}

void AddStatus(const RankStatus& status, RankEnd& end) {
  RankRecord& record = end.record;
  record.local_rank = status.local_rank;
  record.host = status.host;
  record.pid = status.pid;
  record.started = status.started;
  end.ended_unix_ns = status.ended_unix_ns;
  if (!status.ended_unix_ns) return;  // See JudgeLost.
  record.exit_code = status.exit_code;
  record.signal = status.signal;
  record.wall_s = status.wall_s;
  record.peak_rss_bytes = status.peak_rss_bytes;
  record.state = status.interrupted_by          ? RankState::kStopped
                 : status.exit_code.value_or(1) ? RankState::kFailed
                                                : RankState::kDone;
  os::ProcessResult& process = end.process;
  process.exit_code = status.exit_code.value_or(1);
  process.signal = status.signal;
  process.interrupted_by = status.interrupted_by;
  process.leftover_processes = status.leftover_processes;
  process.wall_s = status.wall_s;
  process.user_s = status.user_s;
  process.system_s = status.system_s;
  process.peak_rss_bytes = status.peak_rss_bytes;
  process.output_bytes = status.output_bytes;
  if (!status.error.empty()) process.output = status.error;
}

// Slurm signals every process of a step: a program may have died of it before its
// supervisor got the signal and could record the reason.
void JudgeTerminated(RanksEnd& all) {
  constexpr int kTerminated = 128 + SIGTERM;
  if (!all.launcher.timed_out && !all.launcher.interrupted_by) return;
  for (RankEnd& end : all.ranks) {
    if (end.record.state != RankState::kFailed || !end.ended_unix_ns) continue;
    if (end.process.exit_code != kTerminated) continue;
    end.record.state = RankState::kStopped;
    end.process.interrupted_by = SIGTERM;
  }
}

// A rank that started and did not record its end was killed together with its supervisor:
// by the launcher, if it had a reason, else by the system.
void JudgeLost(RanksEnd& all) {
  const bool had_reason = all.launcher.timed_out || all.launcher.interrupted_by ||
                          all.FirstFailed() != nullptr;
  for (RankEnd& end : all.ranks) {
    if (end.record.started.empty() || end.ended_unix_ns) continue;
    end.record.state = had_reason ? RankState::kStopped : RankState::kFailed;
    end.process.exit_code = all.launcher.exit_code == 0 ? 1 : all.launcher.exit_code;
    if (had_reason) end.process.interrupted_by = SIGKILL;
  }
}

void AddDelays(const std::vector<std::optional<int64_t>>& starts, RanksEnd& all) {
  std::optional<int64_t> first;
  for (const auto& start : starts) {
    if (start && (!first || *start < *first)) first = start;
  }
  for (size_t i = 0; i < starts.size(); ++i) {
    if (!starts[i]) continue;
    all.ranks[i].record.start_delay_s =
        static_cast<double>(*starts[i] - *first) / kNsPerS;
  }
}

// Empty: the rank itself is fine.
std::string OutcomeOf(RankState state, const os::ProcessResult& launcher) {
  switch (state) {
    case RankState::kDone:
      return "";
    case RankState::kFailed:
      return "RankFailed";
    case RankState::kStopped:
      return launcher.timed_out ? "RankTimedOut" : "";
    case RankState::kMissing:
      return "RankMissing";
  }
  return "";
}

std::string Ended(const RankEnd& end) {
  if (!end.ended_unix_ns) {
    return "killed before its end was recorded (out of memory, node failure, kill -9)";
  }
  return os::Describe(end.process);
}

std::string OthersText(const RanksEnd& end) {
  std::string text;
  std::vector<int64_t> failed = end.RanksIn(RankState::kFailed);
  std::erase(failed, end.FirstFailed()->record.rank);
  if (!failed.empty()) text += fmt::format("; failed after it: {}", RankList(failed));
  const std::vector<int64_t> stopped = end.RanksIn(RankState::kStopped);
  if (!stopped.empty()) text += fmt::format("; then stopped: {}", RankList(stopped));
  return text;
}

std::string WithLastLine(std::string text, std::string_view output) {
  const std::string last = LastLine(output);
  return last.empty() ? text : text + "; last line of output: " + last;
}

}  // namespace

std::string LastLine(std::string_view output) {
  constexpr size_t kLongest = 200;
  std::string last;
  while (true) {
    const size_t end = output.find_last_not_of(" \t\r\n");
    if (end == std::string_view::npos) return last;
    output = output.substr(0, end + 1);
    const size_t newline = output.find_last_of("\r\n");
    std::string_view line = output;
    if (newline != std::string_view::npos) line.remove_prefix(newline + 1);
    const size_t indent = line.find_first_not_of(" \t");
    line.remove_prefix(indent);
    // Skip the frame that mpirun draws around messages.
    const bool is_frame = line.find_first_not_of("-=*#_ \t") == std::string_view::npos;
    const std::string text(line.substr(0, kLongest));
    if (!is_frame && indent == 0) return last.empty() ? text : text + " ... " + last;
    if (!is_frame && last.empty()) last = text;
    if (newline == std::string_view::npos) return last;
    output = output.substr(0, newline);
  }
}

std::string NameOf(const RankRecord& rank) {
  return fmt::format("rank {}{}", rank.rank, rank.host.empty() ? "" : " on " + rank.host);
}

std::string RankList(const std::vector<int64_t>& ranks) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < ranks.size();) {
    size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    // A range of only two is shorter as a list.
    if (last < i + 2) last = i;
    parts.push_back(last == i ? std::to_string(ranks[i])
                              : fmt::format("{}-{}", ranks[i], ranks[last]));
    i = last + 1;
  }
  return fmt::format("{} {}", NounFor(ranks.size(), "rank"), fmt::join(parts, ", "));
}

const RankEnd* RanksEnd::FirstFailed() const {
  const RankEnd* first = nullptr;
  for (const RankEnd& end : ranks) {
    if (end.record.state != RankState::kFailed) continue;
    const bool is_earlier =
        first == nullptr ||
        (end.ended_unix_ns &&
         (!first->ended_unix_ns || *end.ended_unix_ns < *first->ended_unix_ns));
    if (is_earlier) first = &end;
  }
  return first;
}

std::vector<int64_t> RanksEnd::RanksIn(RankState state) const {
  std::vector<int64_t> found;
  for (const RankEnd& end : ranks) {
    if (end.record.state == state) found.push_back(end.record.rank);
  }
  return found;
}

std::optional<double> RanksEnd::StartSkew() const {
  double most = 0;
  int started = 0;
  for (const RankEnd& end : ranks) {
    if (!end.record.start_delay_s) continue;
    most = std::max(most, *end.record.start_delay_s);
    ++started;
  }
  return started > 1 ? std::optional(most) : std::nullopt;
}

os::ProcessResult RanksEnd::AsOneProcess() const {
  os::ProcessResult one = launcher;
  one.user_s = one.system_s = 0;
  one.peak_rss_bytes = 0;
  for (const RankEnd& end : ranks) {
    one.user_s += end.process.user_s;
    one.system_s += end.process.system_s;
    one.leftover_processes += end.process.leftover_processes;
    one.output_bytes += end.process.output_bytes;
    one.peak_rss_bytes = std::max(one.peak_rss_bytes, end.process.peak_rss_bytes);
  }
  if (const RankEnd* failed = FirstFailed()) {
    one.exit_code = failed->process.exit_code;
    one.signal = failed->process.signal;
    one.output = failed->process.output;
  } else if (one.exit_code == 0 && !RanksIn(RankState::kMissing).empty()) {
    one.exit_code = 1;
  }
  return one;
}

RanksEnd ReadRanksEnd(const RankFiles& files, const os::ProcessResult& launcher) {
  RanksEnd all = {.launcher = launcher, .ranks = {}};
  std::vector<std::optional<int64_t>> starts;
  for (size_t i = 0; i < files.logs.size(); ++i) {
    RankEnd& end = all.ranks.emplace_back();
    starts.emplace_back();
    end.record.rank = static_cast<int64_t>(i);
    const auto path = StatusFile(files.status_directory, end.record.rank);
    end.process.exit_code = 1;
    end.process.output = EndOfLog(files.logs[i]);
    if (!os::Exists(path)) continue;
    const Result<std::string> text = os::ReadFile(path);
    const Result<RankStatus> status =
        text.ok() ? ParseRankStatus(text.value(), path.string()) : text.error();
    if (!status.ok()) {
      end.process.output = status.error().message();
      continue;
    }
    AddStatus(status.value(), end);
    starts.back() = status.value().started_unix_ns;
  }
  AddDelays(starts, all);
  JudgeTerminated(all);
  JudgeLost(all);
  for (RankEnd& end : all.ranks) {
    end.record.last_line = LastLine(end.process.output);
    end.record.outcome = OutcomeOf(end.record.state, launcher);
  }
  return all;
}

std::optional<RankFailure> FailureOf(const RanksEnd& end) {
  const std::vector<int64_t> stopped = end.RanksIn(RankState::kStopped);
  const std::vector<int64_t> missing = end.RanksIn(RankState::kMissing);
  if (end.launcher.timed_out) {
    std::string text = "timeout";
    if (!stopped.empty()) text += "; not ended: " + RankList(stopped);
    if (!missing.empty()) text += "; not started: " + RankList(missing);
    return RankFailure{"RankTimedOut", text};
  }
  if (end.launcher.interrupted_by) return RankFailure{"", os::Describe(end.launcher)};
  if (const RankEnd* failed = end.FirstFailed()) {
    return RankFailure{"RankFailed", WithLastLine(NameOf(failed->record) + ": " +
                                                      Ended(*failed) + OthersText(end),
                                                  failed->process.output)};
  }
  if (!missing.empty()) {
    return RankFailure{
        "RankMissing",
        WithLastLine(
            fmt::format("{} wrote no status: not started by the launcher, or unable "
                        "to write to the run directory; launcher: {}",
                        RankList(missing), os::Describe(end.launcher)),
            end.launcher.output)};
  }
  if (end.launcher.ok()) return std::nullopt;
  return RankFailure{
      "LauncherFailed",
      WithLastLine(fmt::format("every rank started, but the launcher failed: {}{}",
                               os::Describe(end.launcher),
                               stopped.empty() ? "" : "; stopped: " + RankList(stopped)),
                   end.launcher.output)};
}

}  // namespace ridgeline::ranks
