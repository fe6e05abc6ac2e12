#include "config/compose/multirun.h"

#include "config/compose/test_compose.h"

namespace ridgeline::config {
namespace {

class MultirunTest : public ComposeTest {
 protected:
  MultirunTest() {
    Add("config.yaml", "defaults:\n- db: my\n- _self_\na: 1\n");
    Add("db/my.yaml", "host: my\n");
    Add("db/pg.yaml", "host: pg\n");
    request_.mode = RunMode::kMultirun;
  }

  Result<Sweep> Planned(std::vector<std::string> overrides) {
    Result<Composition> composed = Composed(std::move(overrides));
    if (!composed.ok()) return std::move(composed).error();
    return PlanSweep(*workspace_, composed.value(), request_);
  }
};

TEST_F(MultirunTest, TheLastOverrideVariesFastest) {
  const Result<Sweep> sweep = Planned({"a=1,2", "db=glob(*)"});
  ASSERT_TRUE(sweep.ok());
  EXPECT_EQ(sweep.value().directory, "multirun/2024-03-05/14-07-09");
  EXPECT_EQ(
      sweep.value().batches,
      (std::vector<JobBatch>{
          {{"a=1", "db=my"}, {"a=1", "db=pg"}, {"a=2", "db=my"}, {"a=2", "db=pg"}}}));
}

TEST_F(MultirunTest, HydrasOwnOverridesAreKeptForEachJob) {
  const Result<Sweep> sweep =
      Planned({"a=1,2,3", "hydra.sweep.dir=out", "hydra.sweeper.max_batch_size=2"});
  ASSERT_TRUE(sweep.ok());
  EXPECT_EQ(sweep.value().directory, "out");
  EXPECT_EQ(sweep.value().hydra_overrides,
            (std::vector<std::string>{"hydra.sweep.dir=out",
                                      "hydra.sweeper.max_batch_size=2"}));
  EXPECT_EQ(sweep.value().batches,
            (std::vector<JobBatch>{{{"a=1"}, {"a=2"}}, {{"a=3"}}}));
}

TEST_F(MultirunTest, ParametersOfTheSweeperComeFirst) {
  Add("config.yaml",
      "defaults:\n- db: my\na: 1\nhydra: {sweeper: {params: {a: '5,6'}}}\n");
  const Result<Sweep> sweep = Planned({"db=pg"});
  ASSERT_TRUE(sweep.ok()) << Text(sweep.error());
  EXPECT_EQ(sweep.value().batches,
            (std::vector<JobBatch>{{{"a=5", "db=pg"}, {"a=6", "db=pg"}}}));
}

TEST_F(MultirunTest, ComposesEachJobWithItsNumber) {
  const Result<Sweep> sweep = Planned({"a=1,2"});
  ASSERT_TRUE(sweep.ok());
  Workspace workspace(World{});
  const Result<SweepJob> job =
      ComposeSweepJob(workspace, request_, sweep.value(), sweep.value().batches[0][1], 1);
  ASSERT_TRUE(job.ok());
  Node& root = *job.value().composition.root;
  EXPECT_EQ(job.value().subdirectory, "1");
  EXPECT_EQ(DumpYaml(ToValue(JobConfig(workspace, root))), "db:\n  host: my\na: 2\n");
  EXPECT_EQ(Str(Select(workspace, root, "hydra.job.num").value()->value), "1");
  EXPECT_EQ(Str(Select(workspace, root, "hydra.job.override_dirname").value()->value),
            "a=2");
}

TEST_F(MultirunTest, ASubdirectoryMayBeNamedAfterItsOverrides) {
  const Result<Sweep> sweep = Planned(
      {"a=1,2", "hydra.sweep.subdir=${hydra.job.num}_${hydra.job.override_dirname}"});
  ASSERT_TRUE(sweep.ok());
  Workspace workspace(World{});
  const Result<SweepJob> job =
      ComposeSweepJob(workspace, request_, sweep.value(), {"a=2"}, 1);
  ASSERT_TRUE(job.ok()) << Text(job.error());
  EXPECT_EQ(job.value().subdirectory, "1_a=2");
}

TEST_F(MultirunTest, WhatCannotBeEnumeratedIsAnError) {
  const Result<Sweep> sweep = Planned({"a=interval(0,1)"});
  ASSERT_FALSE(sweep.ok());
  EXPECT_EQ(sweep.error().message,
            "BasicSweeper does not support sweep type : INTERVAL_SWEEP");
}

TEST_F(MultirunTest, AJobThatDoesNotComposeIsAnErrorOfThatJob) {
  const Result<Sweep> sweep = Planned({"db=my,nope"});
  ASSERT_TRUE(sweep.ok());
  Workspace workspace(World{});
  const Result<SweepJob> job =
      ComposeSweepJob(workspace, request_, sweep.value(), {"db=nope"}, 1);
  ASSERT_FALSE(job.ok());
  EXPECT_TRUE(job.error().message.starts_with("In 'config': Could not find 'db/nope'"))
      << job.error().message;
}

}  // namespace
}  // namespace ridgeline::config
