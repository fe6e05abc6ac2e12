#include "app/sweep/job_attempt.h"

#include "artifacts/run_dir.h"
#include "artifacts/run_state.h"
#include "base/secrets.h"
#include "os/clock.h"
#include "os/files.h"

namespace ridgeline::app {
namespace {

using artifacts::Attempt;
using artifacts::Manifest;
using artifacts::State;
using artifacts::SweepJob;

// The run started by an earlier attempt, if it belongs to this job.
std::optional<Manifest> EarlierRun(const SweepJob& job) {
  Result<Manifest> manifest = artifacts::ReadManifestOf(artifacts::RunDir(job.directory));
  if (!manifest.ok()) return std::nullopt;
  std::vector<std::string> arguments(job.arguments.begin() + 1, job.arguments.end());
  if (manifest.value().arguments != WithoutSecrets(arguments)) return std::nullopt;
  return std::move(manifest).value();
}

std::vector<std::string> ArgumentsOf(const SweepJob& job, bool is_resumed) {
  if (!is_resumed) return job.arguments;
  return {"run", "--sweep-job", "--resume", job.directory};
}

// Why the run failed: the reason of its first failed stage, if any.
std::string ReasonOf(const Manifest& manifest) {
  for (const artifacts::StageRecord& stage : manifest.stages) {
    const bool says_why = stage.state == State::kFailed && !stage.reason.empty();
    if (says_why) return stage.name + ": " + stage.reason;
  }
  return manifest.reason;
}

// Last message of ridgeline, on one line and without the hint: the reason of a run that
// was rejected and has no manifest, or only that of an earlier attempt.
std::string LastMessage(std::string_view output) {
  constexpr std::string_view kProgram = "ridgeline: ";
  const size_t at = output.rfind(kProgram);
  if (at == std::string_view::npos) return "";
  output.remove_prefix(at + kProgram.size());
  std::string message;
  for (const char c : output.substr(0, output.find("\nhint: "))) {
    const bool is_blank = c == ' ' || c == '\n';
    if (!is_blank) message += c;
    if (is_blank && !message.ends_with(' ')) message += ' ';
  }
  if (message.ends_with(' ')) message.pop_back();
  return message;
}

// Outcome of a job, with the reason from its manifest or its last message if it has one.
void TakeEnd(const SweepJob& job, const Result<os::ProcessResult>& ran,
             Attempt& attempt) {
  if (!ran.ok()) {
    attempt.state = State::kFailed;
    attempt.reason = ran.error().message();
    return;
  }
  const os::ProcessResult& result = ran.value();
  attempt.wall_s = result.wall_s;
  attempt.exit_code = result.exit_code;
  attempt.state = result.ok()             ? State::kDone
                  : result.interrupted_by ? State::kInterrupted
                                          : State::kFailed;
  if (attempt.state == State::kDone) return;
  attempt.reason = os::Describe(result);
  const Result<Manifest> manifest =
      artifacts::ReadManifestOf(artifacts::RunDir(job.directory));
  // Both times come from the same clock.
  const bool has_run = manifest.ok() && manifest.value().started >= attempt.started;
  const std::string reason =
      has_run ? ReasonOf(manifest.value()) : LastMessage(result.output);
  if (!reason.empty()) attempt.reason = reason;
  if (result.timed_out) {
    attempt.outcome = "Timeout";
    attempt.reason = "time limit reached (hydra.launcher.timeout_min)";
  }
}

}  // namespace

Result<std::optional<Attempt>> RunAttempt(const AttemptRequest& request,
                                          const SweepJob& job) {
  Attempt attempt = request.attempt;
  attempt.started = os::Timestamp();
  const bool is_first = attempt.id == artifacts::AttemptId();
  const std::optional<Manifest> earlier = is_first ? std::nullopt : EarlierRun(job);
  RIDGELINE_RETURN_IF_ERROR(
      os::CreateDirectories(request.directory.log(job.number).parent_path()));
  RIDGELINE_TRY(const bool is_ours,
                artifacts::BeginAttempt(request.directory, job.number, attempt));
  if (!is_ours) return std::optional<Attempt>();
  if (earlier && earlier->state == State::kDone) {
    // The earlier attempt ended between the end of the run and recording it.
    attempt.state = State::kDone;
    attempt.exit_code = earlier->exit_code;
  } else {
    const std::filesystem::path log = request.directory.log(job.number);
    if (is_first) RIDGELINE_RETURN_IF_ERROR(os::WriteFile(log, ""));
    TakeEnd(job, request.run(ArgumentsOf(job, earlier.has_value()), log), attempt);
  }
  attempt.ended = os::Timestamp();
  return std::optional(attempt);
}

}  // namespace ridgeline::app
