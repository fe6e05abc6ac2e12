#include "workloads/make_workload.h"

#include <gtest/gtest.h>

#include "config/tree/build.h"
#include "config/value/yaml_load.h"
#include "os/files.h"

namespace ridgeline::workloads {
namespace {

class MakeWorkloadTest : public testing::Test {
 protected:
  config::Result<std::unique_ptr<pipeline::Workload>> Make(const std::string& yaml) {
    const config::Value value = config::LoadYaml(yaml, "test.yaml").value();
    return MakeWorkload(workspace_, *config::CreateRoot(workspace_, value).value());
  }
  config::Workspace workspace_{config::World{}};
};

TEST_F(MakeWorkloadTest, TakesAnyProgramWithItsVariablesAndDirectory) {
  auto workload = Make(
      "a: 5\n"
      "pipeline: {workload: {command: [./serve, --port, '80'], cwd: /data, module: "
      "null,\n"
      "  env: {N: 3, F: 0.5, T: '${a}', E: ''}}}");
  ASSERT_TRUE(workload.ok()) << workload.error().message;
  EXPECT_FALSE(workload.value()->IsModel());
  EXPECT_EQ(workload.value()->Describe(), "./serve --port 80");
  EXPECT_EQ(workload.value()->AsCommand({"/scratch", "/out"}).ToShellString(),
            "cd /data && E='' F=0.5 N=3 T=5 ./serve --port 80");
}

TEST_F(MakeWorkloadTest, PathsAreShownWithoutDetours) {
  const auto shown = [this](const std::string& word) {
    return Make("pipeline: {workload: {command: [cat, " + word + "]}}")
        .value()
        ->Describe();
  };
  EXPECT_EQ(shown("/etc/../bin/sh"), "cat /bin/sh");
  EXPECT_EQ(shown("/nowhere/../bin/sh"), "cat /nowhere/../bin/sh");
  EXPECT_EQ(shown("a/../b"), "cat a/../b");
}

TEST_F(MakeWorkloadTest, ListsTheProgramAndItsFilesAsInputs) {
  auto workload = Make("pipeline: {workload: {command: [sh, '-c', /bin/sh, no-file]}}");
  const auto inputs = workload.value()->Inputs().value();
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0].role, "workload program");
  EXPECT_EQ(inputs[1].path, "/bin/sh");
}

TEST_F(MakeWorkloadTest, RefusesVariablesThatAreNoTexts) {
  struct Case {
    const char* env;
    const char* message;
  };
  const Case cases[] = {
      {"{A: true}", "a string or a number for each variable"},
      {"{A: null}", "a string or a number for each variable"},
      {"{A: [1]}", "a string or a number for each variable"},
      {"{'A=B': 1}", "variable names without '='"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.env);
    auto workload =
        Make(std::string("pipeline: {workload: {command: [a], env: ") + c.env + "}}");
    ASSERT_FALSE(workload.ok());
    EXPECT_NE(workload.error().message.find(c.message), std::string::npos)
        << workload.error().message;
  }
}

TEST_F(MakeWorkloadTest, GivesTheModelTheWholeConfigurationWithItsProfilersOff) {
  auto workload = Make(
      "model: {name: deepseek_ocr}\n"
      "device: cpu\n"
      "run: {device: '${device}'}\n"
      "pipeline: {workload: {command: [], cwd: /data}, torch_profiler: {enable: true},\n"
      "  static_analysis: {enable: true, write_reports: true}}");
  ASSERT_TRUE(workload.ok()) << workload.error().message;
  EXPECT_TRUE(workload.value()->IsModel());
  const std::filesystem::path scratch = std::filesystem::path(testing::TempDir()) /
                                        ("make_workload_" + std::to_string(::getpid()));
  std::filesystem::create_directories(scratch);
  ASSERT_TRUE(workload.value()->Prepare({scratch, "/out"}).ok());
  const std::vector<std::string> argv =
      workload.value()
          ->AsCommand({scratch, "/out", pipeline::WorkloadTask::kCapture})
          .argv;
  EXPECT_TRUE(argv.front().ends_with("ridgeline-model"));
  EXPECT_EQ(
      std::vector<std::string>(argv.begin() + 1, argv.end()),
      (std::vector<std::string>{"run", "--representative", "--config",
                                (scratch / "config.yaml").string(), "--output", "/out"}));
  EXPECT_EQ(os::ReadFile(scratch / "config.yaml").value(),
            "model:\n"
            "  name: deepseek_ocr\n"
            "device: cpu\n"
            "run:\n"
            "  device: cpu\n"
            "pipeline:\n"
            "  workload:\n"
            "    command: []\n"
            "    cwd: /data\n"
            "  torch_profiler:\n"
            "    enable: false\n"
            "  static_analysis:\n"
            "    enable: false\n"
            "    write_reports: true\n");
  std::filesystem::remove_all(scratch);
}

TEST_F(MakeWorkloadTest, NamesTheTaskOfTheModel) {
  auto workload = Make("model: {name: deepseek_ocr}\n");
  ASSERT_TRUE(workload.ok()) << workload.error().message;
  using pipeline::WorkloadTask;
  for (const auto& [task, word] : {std::pair{WorkloadTask::kRun, "run"},
                                   std::pair{WorkloadTask::kProfile, "profile"},
                                   std::pair{WorkloadTask::kCount, "count"}}) {
    const auto resumed =
        workload.value()
            ->AsCommand({.scratch = "/s", .output = "/o", .task = task, .resume = true})
            .argv;
    EXPECT_EQ(resumed.back(), "--resume");
    const auto argv = workload.value()->AsCommand({"/s", "/o", task}).argv;
    EXPECT_EQ(argv.at(1), word);
    EXPECT_EQ(argv.at(2), "--config");
  }
}

}  // namespace
}  // namespace ridgeline::workloads
