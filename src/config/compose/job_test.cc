#include "config/compose/job.h"

#include "config/compose/test_compose.h"

namespace ridgeline::config {
namespace {

class JobTest : public ComposeTest {
 protected:
  JobTest() { Add("config.yaml", "a: 1\nout: ${hydra:runtime.output_dir}\n"); }

  Result<config::Job> Prepared(std::vector<std::string> overrides) {
    overrides.push_back("hydra.mode=RUN");
    Result<Composition> composed = Composed(std::move(overrides));
    if (!composed.ok()) return std::move(composed).error();
    return PrepareJob(*workspace_, composed.value(), "/srv/app");
  }
};

TEST_F(JobTest, RunsWhereItWasStartedAndWritesBelow) {
  const Result<config::Job> job = Prepared({"a=2"});
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(job.value().output_directory, "/srv/app/outputs/2024-03-05/14-07-09");
  EXPECT_EQ(job.value().working_directory, "/srv/app");
  const auto& files = job.value().files;
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files.at(".hydra/config.yaml"), "a: 2\nout: ${hydra:runtime.output_dir}\n");
  EXPECT_EQ(files.at(".hydra/overrides.yaml"), "- a=2\n");
  EXPECT_NE(files.at(".hydra/hydra.yaml")
                .find("\n    output_dir: /srv/app/outputs/2024-03-05/14-07-09\n"),
            std::string::npos);
  EXPECT_EQ(DumpYaml(ToResolvedValue(*workspace_, *job.value().config).value()),
            "a: 2\nout: /srv/app/outputs/2024-03-05/14-07-09\n");
}

TEST_F(JobTest, FollowsTheSettingsOfHydra) {
  const struct {
    const char* what;
    std::vector<std::string> overrides;
    const char* output;
    const char* working;
    std::vector<std::string> files;
  } cases[] = {
      {"a directory of its own",
       {"hydra.run.dir=x/../y/${a}"},
       "/srv/app/y/1",
       "/srv/app",
       {".hydra/config.yaml", ".hydra/hydra.yaml", ".hydra/overrides.yaml"}},
      {"an absolute one",
       {"hydra.run.dir=/tmp/o", "hydra.job.chdir=true"},
       "/tmp/o",
       "/tmp/o",
       {".hydra/config.yaml", ".hydra/hydra.yaml", ".hydra/overrides.yaml"}},
      {"nothing is written",
       {"hydra.run.dir=o", "hydra.output_subdir=null"},
       "/srv/app/o",
       "/srv/app",
       {}},
      {"another place",
       {"hydra.run.dir=o", "hydra.output_subdir=conf"},
       "/srv/app/o",
       "/srv/app",
       {"conf/config.yaml", "conf/hydra.yaml", "conf/overrides.yaml"}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<config::Job> job = Prepared(c.overrides);
    ASSERT_TRUE(job.ok()) << Text(job.error());
    EXPECT_EQ(job.value().output_directory, c.output);
    EXPECT_EQ(job.value().working_directory, c.working);
    std::vector<std::string> files;
    for (const auto& [path, text] : job.value().files) files.push_back(path);
    EXPECT_EQ(files, c.files);
  }
}

TEST_F(JobTest, ADirectoryThatCannotBeResolvedIsAnError) {
  const Result<config::Job> job = Prepared({"hydra.run.dir=${nope}"});
  ASSERT_FALSE(job.ok());
  EXPECT_EQ(Text(job.error()),
            "InterpolationKeyError: Interpolation key 'nope' not found\n"
            "    full_key: hydra.run.dir\n    object_type=dict");
}

}  // namespace
}  // namespace ridgeline::config
