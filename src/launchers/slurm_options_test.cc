#include "launchers/slurm_options.h"

#include <gmock/gmock.h>

#include "config/compose/composer.h"

namespace ridgeline::launchers {
namespace {

using testing::HasSubstr;

class SlurmOptionsTest : public testing::Test {
 protected:
  config::Result<SlurmOptions> Read(const std::string& yaml,
                                    SubmititKind kind = SubmititKind::kSlurm) {
    std::string indented;
    for (const char c : yaml) indented += c == '\n' ? "\n  " : std::string(1, c);
    files_.Add("/conf/config.yaml", "launcher:\n  _target_: x\n  " + indented + "\n");
    const config::ComposeRequest request{.files = &files_,
                                         .config_path = "/conf",
                                         .config_name = "config",
                                         .overrides = {},
                                         .working_directory = "/"};
    config::Result<config::Composition> composed = config::Compose(workspace_, request);
    EXPECT_TRUE(composed.ok()) << config::Describe(composed.error());
    config::Node& job = config::JobConfig(workspace_, *composed.value().root);
    return ReadSlurmOptions(workspace_, **job.children.Find("launcher"), kind);
  }

 private:
  config::MemoryFiles files_;
  config::Workspace workspace_{config::World{}};
};

TEST_F(SlurmOptionsTest, HasTheDefaultsOfSubmitit) {
  const auto options = Read("name: run");
  ASSERT_TRUE(options.ok()) << config::Describe(options.error());
  EXPECT_EQ(options.value().timeout_min, 60);
  EXPECT_EQ(options.value().tasks_per_node, 1);
  EXPECT_EQ(options.value().nodes, 1);
  EXPECT_EQ(options.value().signal_delay_s, 120);
  EXPECT_EQ(options.value().max_num_timeout, 0);
  EXPECT_EQ(options.value().array_parallelism, 256);
  EXPECT_FALSE(options.value().has_python);
}

TEST_F(SlurmOptionsTest, TakesNumbersWhereSbatchTakesText) {
  const auto options = Read(
      "mem_per_cpu: 4\nmem_per_gpu: 4GB\npartition: null\npython: python3\n"
      "additional_parameters: {mail_type: END, exclusive: true, hold: false, nice: 5}\n"
      "setup: [module load cuda]\nsrun_args: null");
  ASSERT_TRUE(options.ok()) << config::Describe(options.error());
  EXPECT_EQ(options.value().mem_per_cpu, "4");
  EXPECT_EQ(options.value().mem_per_gpu, "4GB");
  EXPECT_EQ(options.value().partition, std::nullopt);
  EXPECT_TRUE(options.value().has_python);
  using Parameter = std::pair<std::string, std::optional<std::string>>;
  EXPECT_THAT(
      options.value().additional_parameters,
      testing::ElementsAre(Parameter("mail-type", "END"),
                           Parameter("exclusive", std::nullopt), Parameter("nice", "5")));
  EXPECT_THAT(options.value().setup, testing::ElementsAre("module load cuda"));
  EXPECT_TRUE(options.value().srun_args.empty());
}

TEST_F(SlurmOptionsTest, ReportsMistakesWithTheirKey) {
  struct Case {
    const char* yaml;
    SubmititKind kind;
    const char* want;
  };
  const Case cases[] = {
      {"partitoin: gpu", SubmititKind::kSlurm, "partition"},
      {"timeout_min: 0", SubmititKind::kSlurm,
       "launcher.timeout_min: must be at least 1"},
      {"nodes: two", SubmititKind::kSlurm, "launcher.nodes: expected an integer"},
      {"array_parallelism: 0", SubmititKind::kSlurm,
       "array_parallelism: must be at least 1"},
      {"setup: module load cuda", SubmititKind::kSlurm, "launcher.setup"},
      {"additional_parameters: [a]", SubmititKind::kSlurm, "expected a mapping"},
      {"additional_parameters: {'a b': 1}", SubmititKind::kSlurm,
       "'a b': expected an option"},
      {"partition: gpu", SubmititKind::kLocal, "launcher.partition: no such key"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.yaml);
    const auto options = Read(c.yaml, c.kind);
    ASSERT_FALSE(options.ok());
    EXPECT_THAT(config::Describe(options.error()), HasSubstr(c.want));
  }
}

}  // namespace
}  // namespace ridgeline::launchers
