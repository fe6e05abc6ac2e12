#include "config/reader.h"

#include <gtest/gtest.h>

#include "config/compose/composer.h"

namespace ridgeline::config {
namespace {

struct Options {
  bool enable = false;
  int64_t rounds = 2;
  double timeout_s = 60;
  std::string trace = "cuda";
  std::vector<std::string> sections;
  std::optional<int64_t> launch_count;
};

// A configuration whose only file is stage.yaml, read below the key `stage`.
class ReaderTest : public testing::Test {
 protected:
  Node& Section(const std::string& yaml, std::vector<std::string> overrides = {}) {
    files_.Add("/conf/config.yaml", yaml);
    const ComposeRequest request{.files = &files_,
                                 .config_path = "/conf",
                                 .config_name = "config",
                                 .overrides = std::move(overrides),
                                 .working_directory = "/"};
    Result<Composition> composed = Compose(workspace_, request);
    EXPECT_TRUE(composed.ok()) << Describe(composed.error());
    Node& job = JobConfig(workspace_, *composed.value().root);
    return **job.children.Find("stage");
  }

  static void ReadAll(Reader& reader, Options& options) {
    reader.Read("enable", options.enable);
    reader.ReadOptional("rounds", options.rounds);
    reader.ReadOptional("timeout_s", options.timeout_s);
    reader.ReadOptional("trace", options.trace);
    reader.ReadOptional("sections", options.sections);
    reader.ReadOptional("launch_count", options.launch_count);
  }

  std::string Mistakes(const std::string& yaml, std::vector<std::string> overrides = {}) {
    Reader reader(workspace_, Section(yaml, std::move(overrides)));
    Options options;
    ReadAll(reader, options);
    std::string text;
    for (const Error& error : reader.FinishWithAll()) text += Describe(error) + "\n";
    return text;
  }

  MemoryFiles files_;
  Workspace workspace_{World{}};
};

TEST_F(ReaderTest, ReadsEveryType) {
  Reader reader(workspace_, Section("n: 7\nstage:\n  enable: true\n  rounds: ${n}\n"
                                    "  timeout_s: 5\n  trace: cuda,nvtx\n"
                                    "  sections: [A, B]\n  launch_count: 3\n"));
  Options options;
  ReadAll(reader, options);
  ASSERT_TRUE(reader.Finish().ok());
  EXPECT_TRUE(options.enable);
  EXPECT_EQ(options.rounds, 7);
  EXPECT_EQ(options.timeout_s, 5.0);
  EXPECT_EQ(options.trace, "cuda,nvtx");
  EXPECT_EQ(options.sections, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(options.launch_count, 3);
}

TEST_F(ReaderTest, KeepsDefaultsForWhatIsNotThere) {
  Reader reader(workspace_, Section("stage: {enable: false, launch_count: null}"));
  Options options;
  options.launch_count = 9;
  ReadAll(reader, options);
  ASSERT_TRUE(reader.Finish().ok());
  EXPECT_EQ(options.rounds, 2);
  EXPECT_EQ(options.trace, "cuda");
  EXPECT_EQ(options.launch_count, std::nullopt);
}

TEST_F(ReaderTest, TellsAllMistakesAtOnceWithTheirPlaces) {
  EXPECT_EQ(Mistakes("stage:\n  rounds: 2.5\n  timeout_s: soon\n  trace: 3\n"
                     "  sections: [A, 1]\n  launch_count: true\n  tracee: cuda\n"),
            "/conf/config.yaml:2:3: stage.enable: is not given\n"
            "/conf/config.yaml:2:11: stage.rounds: expected an integer, got 2.5\n"
            "/conf/config.yaml:3:14: stage.timeout_s: expected a number, got 'soon'\n"
            "/conf/config.yaml:4:10: stage.trace: expected text, got 3\n"
            "/conf/config.yaml:5:17: stage.sections[1]: expected text, got 1\n"
            "/conf/config.yaml:6:17: stage.launch_count: expected an integer, got true\n"
            "/conf/config.yaml:7:11: stage.tracee: no such key\n"
            "Did you mean 'stage.trace'?\n");
}

TEST_F(ReaderTest, NamesTheOverrideAndTheInterpolationThatAreWrong) {
  const std::string yaml = "n: x\nstage: {enable: true, rounds: 1}";
  EXPECT_EQ(Mistakes(yaml, {"stage.rounds=${n}"}),
            "override 'stage.rounds=${n}': stage.rounds: expected an integer, got 'x', "
            "from ${n}\n");
  EXPECT_NE(Mistakes(yaml, {"stage.rounds=${m}"}).find("Interpolation key 'm' not found"),
            std::string::npos);
  EXPECT_NE(Mistakes(yaml, {"stage.rounds=???"}).find("no value was given (???)"),
            std::string::npos);
}

TEST_F(ReaderTest, ReadsMappingsInsideMappings) {
  Reader reader(workspace_,
                Section("stage: {export: {csv: 1, cvs: 2}, rest: {}, free: {a: 1}}"));
  bool csv = false;
  reader.ReadSection("export", [&](Reader& inner) { inner.Read("csv", csv); });
  reader.ReadSection("rest", [](Reader&) {});
  reader.ReadSection("nvtx", [](Reader&) { FAIL() << "there is none"; });
  reader.Ignore("free");
  const std::vector<Error> errors = reader.FinishWithAll();
  ASSERT_EQ(errors.size(), 3U);
  EXPECT_EQ(errors[0].message, "stage.export.csv: expected true or false, got 1");
  EXPECT_EQ(errors[1].hint, "Did you mean 'stage.export.csv'?");
  EXPECT_EQ(errors[2].message, "stage.nvtx: is not given");
}

TEST_F(ReaderTest, ASectionThatIsNoMappingIsOneMistake) {
  Reader reader(workspace_, Section("stage: 3"));
  bool enable = false;
  reader.Read("enable", enable);
  const Status status = reader.Finish();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "stage: expected a mapping, got 3");
}

TEST_F(ReaderTest, JoinsSeveralMistakesInOneError) {
  Reader reader(workspace_, Section("stage: {a: 1, b: 2}"));
  reader.AddError("a", "must be less than b");
  const Status status = reader.Finish();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "2 mistakes in the configuration:\n"
            "/conf/config.yaml:1:12: stage.a: must be less than b\n"
            "/conf/config.yaml:1:18: stage.b: no such key\nDid you mean 'stage.a'?");
}

}  // namespace
}  // namespace ridgeline::config
