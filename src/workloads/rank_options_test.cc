#include "workloads/rank_options.h"

#include <gtest/gtest.h>

#include "config/tree/build.h"
#include "config/value/yaml_load.h"
#include "pipeline/config_schema.h"
#include "workloads/keys.h"

namespace ridgeline::workloads {
namespace {

using ranks::Launcher;
using ranks::RankOptions;

struct Read {
  std::string error;
  std::optional<RankOptions> options;
};

Read ReadFrom(const std::string& ranks, const std::string& more = "") {
  config::Workspace workspace{config::World{}};
  const auto value = config::LoadYaml(
      "pipeline: {workload: {command: [python3.11, x.py], ranks: " + ranks + "}" + more +
          "}",
      "test");
  EXPECT_TRUE(value.ok());
  const auto root = config::CreateRoot(workspace, value.value());
  EXPECT_TRUE(root.ok());
  Read read;
  for (const config::Error& error : pipeline::CheckConfig(
           workspace, *root.value(), KeyGroups(), pipeline::UnknownKeys::kWarnInFiles)) {
    read.error += error.message;
  }
  if (!read.error.empty()) return read;
  config::Node& section =
      **(*(*root.value()->children.Find("pipeline"))->children.Find("workload"))
            ->children.Find("ranks");
  const auto options = ReadRankOptions(workspace, section, {"python3.11", "x.py"});
  EXPECT_TRUE(options.ok());
  read.options = options.value();
  return read;
}

TEST(RankOptionsTest, AreOffWithoutACount) {
  EXPECT_FALSE(ReadFrom("{}").options.has_value());
  EXPECT_FALSE(ReadFrom("{count: null, launcher: srun}").options.has_value());
}

TEST(RankOptionsTest, HaveDefaults) {
  const auto options = ReadFrom("{count: 4}").options;
  ASSERT_TRUE(options.has_value());
  EXPECT_EQ(options->count, 4);
  EXPECT_EQ(options->launcher, Launcher::kLocal);
  EXPECT_EQ(options->python, "python3.11");
  EXPECT_TRUE(options->IsProfiled(3));
}

TEST(RankOptionsTest, ProfileAllOneOrAList) {
  const struct {
    const char* profile;
    std::vector<int64_t> ranks;
  } cases[] = {
      {"all", {}}, {"0", {0}}, {"'2'", {2}}, {"[3, 1, 3]", {1, 3}}, {"'1,2'", {1, 2}}};
  for (const auto& c : cases) {
    const Read read = ReadFrom("{count: 4, profile: " + std::string(c.profile) + "}");
    ASSERT_TRUE(read.options.has_value()) << c.profile << read.error;
    EXPECT_EQ(read.options->profiled, c.ranks) << c.profile;
  }
}

TEST(RankOptionsTest, AreRefusedIfTheyMakeNoSense) {
  const struct {
    const char* ranks;
    const char* more;
    const char* message;
  } cases[] = {
      {"{count: 0}", "", "expected an integer >= 1 or null"},
      {"{count: 2, launcher: slurm}", "",
       "expected one of local, torchrun, srun, mpirun"},
      {"{count: 2, profile: some}", "", "pipeline.workload.ranks.profile"},
      {"{count: 2, profile: 2}", "", "has rank 2, but pipeline.workload.ranks.count=2"},
      {"{count: 2147483648}", "", "at most 65536 ranks are supported"},
      {"{count: 2, profile: -1}", "", "has rank -1, but pipeline.workload.ranks.count=2"},
      {"{count: 2, profile: [0, 7]}", "", "ranks are 0 to 1"},
      {"{count: 2, profile: [all, 0]}", "", "is all and more"},
      {"{count: 2, profile: []}", "", "is empty"},
      {"{count: 2, nodes: 2}", "", "only for launcher=srun"},
      {"{count: 2, args: [-v]}", "", "is not for launcher=local"},
      {"{count: 2}", ", ncu: {enable: true}", "must be one rank"},
      {"{count: 2, profile: [0, 1]}", ", ncu: {enable: true}", "must be one rank"},
  };
  for (const auto& c : cases) {
    const Read read = ReadFrom(c.ranks, c.more);
    EXPECT_NE(read.error.find(c.message), std::string::npos) << c.ranks << read.error;
  }
  EXPECT_EQ(ReadFrom("{count: 2, profile: 1}", ", ncu: {enable: true}").error, "");
  EXPECT_EQ(ReadFrom("{count: 1}", ", ncu: {enable: true}").error, "");
}

}  // namespace
}  // namespace ridgeline::workloads
