#include "pipeline/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/plural.h"
#include "base/units.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/signal_watch.h"
#include "ranks/launcher.h"

namespace ridgeline::pipeline {
namespace {

namespace fs = std::filesystem;
using artifacts::RunDir;
using artifacts::StageRecord;
using artifacts::State;

// Keeps the results of an earlier attempt, but moves them out of the way.
Status SetAside(const RunDir& run_dir, const fs::path& directory) {
  if (!os::Exists(directory)) return Ok();
  for (int number = 1;; ++number) {
    const fs::path aside =
        run_dir.scratch() /
        fmt::format("{}.attempt{}", directory.filename().string(), number);
    if (!os::Exists(aside)) return run_dir.owned().Move(directory, aside);
  }
}

// Whether the stage continues from an earlier attempt: in its scratch directory if that
// was killed, else in its final one. Everything else is set aside.
Result<bool> TakeUp(const RunDir& run_dir, const PlannedStage& stage) {
  const fs::path place = run_dir.stage(stage.name);
  const fs::path scratch = run_dir.stage_scratch(stage.name);
  const auto has_journal = [&stage](const fs::path& directory) {
    return !stage.plan.journal.empty() && os::Exists(directory / stage.plan.journal);
  };
  if (has_journal(scratch)) {
    RIDGELINE_RETURN_IF_ERROR(SetAside(run_dir, place));
    return true;
  }
  RIDGELINE_RETURN_IF_ERROR(SetAside(run_dir, scratch));
  if (has_journal(place)) {
    RIDGELINE_RETURN_IF_ERROR(run_dir.owned().Move(place, scratch));
    return true;
  }
  RIDGELINE_RETURN_IF_ERROR(SetAside(run_dir, place));
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(scratch));
  return false;
}

// All files below `directory`, relative to the run directory.
Status ListFiles(const RunDir& run_dir, const fs::path& directory,
                 std::vector<std::string>& files) {
  RIDGELINE_TRY(const auto entries, os::ListDirectory(directory));
  for (const os::DirectoryEntry& entry : entries) {
    const fs::path path = directory / entry.name;
    if (entry.kind == os::FileKind::kDirectory) {
      RIDGELINE_RETURN_IF_ERROR(ListFiles(run_dir, path, files));
    } else {
      files.push_back(path.lexically_relative(run_dir.root()).string());
    }
  }
  return Ok();
}

// Moves the complete output of the stage to its final directory.
Status PutInPlace(const RunDir& run_dir, StageRecord& record) {
  const fs::path scratch = run_dir.stage_scratch(record.name);
  RIDGELINE_TRY(const auto entries, os::ListDirectory(scratch));
  if (entries.empty()) return run_dir.owned().Remove(scratch);
  const fs::path place = run_dir.stage(record.name);
  RIDGELINE_RETURN_IF_ERROR(run_dir.owned().Move(scratch, place));
  record.artifacts.clear();
  RIDGELINE_RETURN_IF_ERROR(ListFiles(run_dir, place, record.artifacts));
  for (artifacts::RankRecord& rank : record.ranks) {
    for (const std::string& file : record.artifacts) {
      if (ranks::IsOfRank(file, rank.rank)) rank.files.push_back(file);
    }
  }
  return Ok();
}

// A workload that runs in the run directory may have taken the stage's place in it.
Error PlaceTaken(const RunDir& run_dir, const std::string& stage) {
  return Error(
      ErrorCode::kIo,
      fmt::format("{} was created by something else, so the files of the stage "
                  "stay in {}; a workload that runs in the run directory "
                  "(pipeline.workload.cwd=null) must not use names of stages",
                  run_dir.stage(stage).string(), run_dir.stage_scratch(stage).string()));
}

// "; 4 ranks on 2 hosts, start-up skew 12 ms"; empty: no ranks.
std::string RanksText(const StageRecord& record) {
  if (record.ranks.empty()) return "";
  std::set<std::string> hosts;
  double skew_s = 0;
  for (const artifacts::RankRecord& rank : record.ranks) {
    hosts.insert(rank.host);
    skew_s = std::max(skew_s, rank.start_delay_s.value_or(0));
  }
  return fmt::format("; {} on {}, start-up skew {}", Plural(record.ranks.size(), "rank"),
                     Plural(hosts.size(), "host"), units::Seconds(skew_s));
}

// Why a required stage has no results; empty: all available.
std::string MissingNeed(const PlannedStage& stage, artifacts::Manifest& manifest) {
  for (const std::string& name : stage.needs) {
    const StageRecord* needed = manifest.Find(name);
    if (needed != nullptr && needed->state != State::kDone) {
      return fmt::format("needs {}, which is {}", name, ToText(needed->state));
    }
  }
  return "";
}

class Runner {
 public:
  Runner(const RunPlan& plan, const RunServices& services, ManifestWriter& manifest)
      : plan_(plan), services_(services), manifest_(manifest) {}

  Result<RunOutcome> Run() {
    for (const PlannedStage& stage : plan_.stages) {
      StageRecord* record = manifest_.manifest().Find(stage.name);
      if (record == nullptr || !stage.enabled || record->state == State::kDone) continue;
      if (Interrupted()) break;
      RIDGELINE_RETURN_IF_ERROR(RunOne(stage, *record));
    }
    if (Interrupted()) end_.interrupted_by = services_.signals->first();
    return end_;
  }

 private:
  bool Interrupted() const {
    return services_.signals != nullptr && services_.signals->count() > 0;
  }

  Status RunOne(const PlannedStage& stage, StageRecord& record) {
    const RunDir& run_dir = manifest_.run_dir();
    RIDGELINE_TRY(const bool continues, TakeUp(run_dir, stage));
    Begin(record);
    RIDGELINE_RETURN_IF_ERROR(manifest_.Save());
    const std::string skip = WhySkipped(stage);
    if (skip.empty()) services_.observer.StageStarted(record);

    const auto started = std::chrono::steady_clock::now();
    StagePlace place = PlaceOf(plan_, stage, run_dir);
    place.continues = continues;
    StageOutcome outcome =
        skip.empty() ? Do(stage, std::move(place), record) : Skipped{skip};
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
    if (os::Exists(run_dir.stage(stage.name))) {
      outcome = PlaceTaken(run_dir, stage.name);
    } else {
      RIDGELINE_RETURN_IF_ERROR(PutInPlace(run_dir, record));
    }
    record.ended = os::Timestamp();
    record.wall_s = wall.count();
    const std::string summary = Classify(outcome, record);
    RIDGELINE_RETURN_IF_ERROR(manifest_.Save());
    services_.observer.StageEnded(record, summary);
    return Ok();
  }

  static void Begin(StageRecord& record) {
    record.state = State::kRunning;
    record.reason.clear();
    record.started = os::Timestamp();
    record.ended.clear();
    record.wall_s.reset();
    record.processes.clear();
    record.artifacts.clear();
    record.notes.clear();
    record.outcome.clear();
    record.retry_overrides.clear();
    record.ranks.clear();
  }

  // Empty: the stage can start.
  std::string WhySkipped(const PlannedStage& stage) {
    return stage.plan.skip.empty() ? MissingNeed(stage, manifest_.manifest())
                                   : stage.plan.skip;
  }

  StageOutcome Do(const PlannedStage& stage, StagePlace place, StageRecord& record) {
    StageContext context(services_, stage, std::move(place), plan_.grace_s, record);
    StageOutcome outcome = stage.stage->Run(context);
    if (std::holds_alternative<Error>(outcome) && context.start_error()) {
      end_.could_not_start = context.start_error();
    }
    return outcome;
  }

  // Records the end of the stage; returns the text of its terminal line.
  std::string Classify(const StageOutcome& outcome, StageRecord& record) {
    if (const Done* done = std::get_if<Done>(&outcome)) {
      record.state = State::kDone;
      return done->summary + RanksText(record);
    }
    if (const Skipped* skipped = std::get_if<Skipped>(&outcome)) {
      record.state = State::kSkipped;
      record.reason = skipped->reason;
      return "";
    }
    record.reason = std::get<Error>(outcome).message();
    if (Interrupted()) {
      record.state = State::kInterrupted;
    } else {
      record.state = State::kFailed;
      ++end_.failed_stages;
    }
    return "";
  }

  const RunPlan& plan_;
  const RunServices& services_;
  ManifestWriter& manifest_;
  RunOutcome end_;
};

}  // namespace

Result<RunOutcome> RunStages(const RunPlan& plan, const RunServices& services,
                             ManifestWriter& manifest) {
  return Runner(plan, services, manifest).Run();
}

}  // namespace ridgeline::pipeline
