#include "pipeline/runner.h"

#include <gtest/gtest.h>

#include <csignal>

#include "os/files.h"
#include "os/signal_watch.h"
#include "os/testing/fake_process_runner.h"

namespace ridgeline::pipeline {
namespace {

namespace fs = std::filesystem;
using artifacts::State;

class EchoWorkload final : public Workload {
 public:
  std::string Describe() const override { return "echo hi"; }
  WorkloadKind kind() const override { return WorkloadKind::kProgram; }
  os::Command AsCommand(const WorkloadPlace&) const override {
    return {.argv = {"echo", "hi"}, .environment = {}, .directory = {}};
  }
  Status Prepare(const WorkloadPlace&) const override { return Ok(); }
  std::vector<std::string> Changes() const override { return {}; }
  Result<std::vector<InputPath>> Inputs() const override {
    return std::vector<InputPath>();
  }
};

// Runs the test's script and writes a file.
class ScriptedStage final : public Stage {
 public:
  using Script = std::function<StageOutcome(StageContext&)>;
  explicit ScriptedStage(Script script) : script_(std::move(script)) {}
  StagePlan Plan(const StagePlace&) const override { return {}; }
  StageOutcome Run(StageContext& context) override {
    EXPECT_TRUE(context.Write("left.txt", "x").ok());
    return script_(context);
  }

 private:
  Script script_;
};

class SilentObserver final : public RunObserver {
 public:
  void RunStarted(const artifacts::Manifest&) override {}
  void StageStarted(const artifacts::StageRecord& stage) override {
    started.push_back(stage.name);
  }
  void CommandStarted(std::string_view, std::string_view, const os::Command&) override {}
  void CommandOutput(std::string_view) override {}
  void StageProgress(std::string_view, double, const std::optional<Progress>&) override {}
  void StageEnded(const artifacts::StageRecord&, std::string_view) override {}
  void RunEnded(const artifacts::Manifest&) override {}

  std::vector<std::string> started;
};

class RunnerTest : public testing::Test {
 protected:
  RunnerTest() {
    plan_.workload = std::make_unique<EchoWorkload>();
    EXPECT_TRUE(os::CreateDirectories(run_dir_.scratch()).ok());
  }
  ~RunnerTest() override { fs::remove_all(run_dir_.root()); }

  // `journal`: as in StagePlan.
  void Add(const std::string& name, ScriptedStage::Script script,
           std::vector<std::string> needs = {}, std::string journal = "") {
    PlannedStage stage{.name = name, .needs = std::move(needs), .enabled = true};
    stage.stage = std::make_unique<ScriptedStage>(std::move(script));
    stage.plan.journal = std::move(journal);
    plan_.stages.push_back(std::move(stage));
    artifacts::StageRecord record;
    record.name = name;
    manifest_.stages.push_back(std::move(record));
  }

  RunOutcome Run(const os::SignalWatch* signals = nullptr) {
    ManifestWriter writer(run_dir_, manifest_);
    Result<RunOutcome> end = RunStages(plan_, {processes_, observer_, signals}, writer);
    EXPECT_TRUE(end.ok());
    const std::string text = os::ReadFile(run_dir_.manifest()).value();
    manifest_ = artifacts::ParseManifest(text, "manifest").value();
    return end.value();
  }
  State StateOf(const std::string& stage) { return manifest_.Find(stage)->state; }

  static StageOutcome Succeed(StageContext&) { return Done{}; }
  static StageOutcome Break(StageContext&) { return Error(ErrorCode::kTool, "broke"); }

  const artifacts::RunDir run_dir_{fs::path(testing::TempDir()) /
                                   ("runner_" + std::to_string(::getpid()))};
  RunPlan plan_;
  artifacts::Manifest manifest_;
  os::FakeProcessRunner processes_;
  SilentObserver observer_;
};

TEST_F(RunnerTest, GoesOnAfterAFailureExceptWithWhatNeedsIt) {
  Add("one", Break);
  Add("two", Succeed);
  Add("three", Succeed, {"one"});
  Add("four", [](StageContext&) -> StageOutcome { return Skipped{"no GPU"}; });
  const RunOutcome end = Run();
  EXPECT_EQ(end.failed_stages, 1);
  EXPECT_EQ(observer_.started, (std::vector<std::string>{"one", "two", "four"}));
  EXPECT_EQ(StateOf("one"), State::kFailed);
  EXPECT_EQ(manifest_.Find("one")->reason, "broke");
  EXPECT_EQ(StateOf("two"), State::kDone);
  EXPECT_EQ(StateOf("three"), State::kSkipped);
  EXPECT_EQ(manifest_.Find("three")->reason, "needs one, which is failed");
  EXPECT_EQ(StateOf("four"), State::kSkipped);
}

TEST_F(RunnerTest, ContinuesWhatAnEarlierAttemptLeftIfItHasAJournal) {
  struct Case {
    const char* what;
    fs::path left;  // Where the earlier attempt left `file`.
    const char* file;
    const char* journal;  // Of the stage.
    bool continues;
  };
  const fs::path killed = run_dir_.stage_scratch("one");
  const fs::path ended = run_dir_.stage("one");
  const Case cases[] = {
      {"killed", killed, "journal", "journal", true},
      {"stopped, so that it was put in place", ended, "journal", "journal", true},
      {"killed before there was a journal", killed, "other", "journal", false},
      {"no stage that continues", ended, "journal", "", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    fs::remove_all(run_dir_.root());
    plan_.stages.clear();
    manifest_.stages.clear();
    ASSERT_TRUE(os::CreateDirectories(run_dir_.scratch()).ok());
    ASSERT_TRUE(os::CreateDirectories(c.left).ok());
    ASSERT_TRUE(os::WriteFileAtomically(c.left / c.file, "earlier").ok());
    Add(
        "one",
        [&](StageContext& context) -> StageOutcome {
          EXPECT_EQ(context.place().continues, c.continues);
          EXPECT_EQ(os::Exists(context.place().directory / c.file), c.continues);
          return Done{};
        },
        {}, c.journal);
    Run();
    EXPECT_EQ(os::Exists(ended / c.file), c.continues);
    EXPECT_EQ(os::Exists(run_dir_.scratch() / "one.attempt1" / c.file), !c.continues);
  }
}

TEST_F(RunnerTest, PutsAStagesDirectoryInPlaceWhenItHasEnded) {
  Add("one", [this](StageContext& context) -> StageOutcome {
    EXPECT_FALSE(fs::exists(run_dir_.stage("one")));
    EXPECT_EQ(context.place().directory, run_dir_.stage_scratch("one"));
    return Done{};
  });
  Run();
  EXPECT_FALSE(fs::exists(run_dir_.stage_scratch("one")));
  EXPECT_EQ(manifest_.Find("one")->artifacts, std::vector<std::string>{"one/left.txt"});
}

TEST_F(RunnerTest, AWorkloadThatTakesThePlaceOfAStageMakesItFail) {
  Add("one", [this](StageContext&) -> StageOutcome {
    fs::create_directories(run_dir_.stage("one"));
    return Done{};
  });
  Add("two", [](StageContext&) -> StageOutcome { return Done{}; });
  Run();
  EXPECT_EQ(manifest_.stages[0].state, artifacts::State::kFailed);
  EXPECT_THAT(manifest_.stages[0].reason,
              testing::HasSubstr("one was created by something else"));
  EXPECT_EQ(manifest_.stages[1].state, artifacts::State::kDone);
}

TEST_F(RunnerTest, TheManifestIsReadyForBeingKilledAtAnyTime) {
  Add("one", [this](StageContext&) -> StageOutcome {
    const auto real =
        artifacts::ParseManifest(os::ReadFile(run_dir_.manifest()).value(), "manifest");
    const auto killed = artifacts::ParseManifest(
        os::ReadFile(run_dir_.killed_manifest()).value(), "killed");
    EXPECT_EQ(real.value().stages[0].state, State::kRunning);
    EXPECT_EQ(killed.value().stages[0].state, State::kInterrupted);
    return Done{};
  });
  Run();
}

TEST_F(RunnerTest, DoesNotRepeatWhatIsDoneAndKeepsWhatFailedBefore) {
  Add("one", Succeed);
  Add("two", Break);
  Run();
  manifest_.Find("two")->state = State::kPending;
  plan_.stages[1].stage = std::make_unique<ScriptedStage>(Succeed);
  observer_.started.clear();
  const RunOutcome end = Run();
  EXPECT_EQ(end.failed_stages, 0);
  EXPECT_EQ(observer_.started, std::vector<std::string>{"two"});
  EXPECT_EQ(StateOf("two"), State::kDone);
  EXPECT_TRUE(fs::exists(run_dir_.scratch() / "two.attempt1/left.txt"));
}

TEST_F(RunnerTest, StopsAtAnInterrupt) {
  const os::SignalWatch signals;
  Add("one", Succeed);
  Add("two", [](StageContext&) -> StageOutcome {
    ::raise(SIGINT);
    return Error(ErrorCode::kTool, "workload: stopped");
  });
  Add("three", Succeed);
  const RunOutcome end = Run(&signals);
  EXPECT_EQ(end.interrupted_by, SIGINT);
  EXPECT_EQ(end.failed_stages, 0);
  EXPECT_EQ(StateOf("one"), State::kDone);
  EXPECT_EQ(StateOf("two"), State::kInterrupted);
  EXPECT_EQ(StateOf("three"), State::kPending);
}

TEST_F(RunnerTest, WritesDownWhatWasRun) {
  os::ProcessResult result;
  result.exit_code = 7;
  result.wall_s = 1.5;
  result.output = "first\nlast words\n\n";
  result.leftover_processes = 2;
  processes_.Reply("tool", result);
  Add("one", [](StageContext& context) -> StageOutcome {
    const PlannedCommand command = {
        .purpose = "the tool",
        .command = {.argv = {"tool", "a b"}, .environment = {}, .directory = {}},
        .log = "tool.log",
        .output = {},
        .command_file = "cmd.txt"};
    Result<os::ProcessResult> ran = context.Run(command);
    Status ended = context.CheckEnd(command, ran.value());
    return std::move(ended).error();
  });
  Run();
  const artifacts::StageRecord& record = *manifest_.Find("one");
  EXPECT_EQ(record.reason,
            "the tool: exit code 7; last line of output: last words; see one/tool.log");
  ASSERT_EQ(record.processes.size(), 1u);
  EXPECT_EQ(record.processes[0].exit_code, 7);
  EXPECT_EQ(record.processes[0].wall_s, 1.5);
  EXPECT_EQ(record.notes,
            std::vector<std::string>{"the tool: terminated leftover processes: 2"});
  const std::string cmd = os::ReadFile(run_dir_.stage("one") / "cmd.txt").value();
  EXPECT_NE(cmd.find("\ntool 'a b'\n"), std::string::npos) << cmd;
}

TEST_F(RunnerTest, TellsAProgramThatCannotBeStarted) {
  Add("one", [](StageContext& context) -> StageOutcome {
    Result<os::ProcessResult> ran =
        context.Run({.purpose = "w",
                     .command = {.argv = {"nothing"}, .environment = {}, .directory = {}},
                     .log = "w.log",
                     .output = {},
                     .command_file = {}});
    return std::move(ran).error();
  });
  const RunOutcome end = Run();
  EXPECT_EQ(end.could_not_start, ErrorCode::kNotFound);
  EXPECT_EQ(manifest_.Find("one")->processes[0].exit_code, std::nullopt);
}

}  // namespace
}  // namespace ridgeline::pipeline
