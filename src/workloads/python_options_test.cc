#include "workloads/python_options.h"

#include <gtest/gtest.h>

#include "config/tree/build.h"
#include "config/value/yaml_load.h"

namespace ridgeline::workloads {
namespace {

using pipeline::WorkloadTask;

class PythonOptionsTest : public testing::Test {
 protected:
  config::Result<PythonOptions> Read(const std::string& yaml) {
    const config::Value value = config::LoadYaml(yaml, "test.yaml").value();
    return ReadPythonOptions(workspace_, *config::CreateRoot(workspace_, value).value());
  }
  config::Workspace workspace_{config::World{}};
};

TEST_F(PythonOptionsTest, HaveDefaultsWhereATreeHasNoSuchSection) {
  const auto options = Read("pipeline: {workload: {command: [python3]}}");
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_EQ(options.value().agent, PythonOptions::Agent::kAuto);
  EXPECT_TRUE(options.value().regions.empty());
  EXPECT_EQ(options.value().profiling.warmup_calls, 2);
}

TEST_F(PythonOptionsTest, TakeRegionsRangesAndTheKeysOfTheProfiler) {
  const auto options = Read(
      "pipeline:\n"
      "  workload: {python: {agent: always, ranges: {max_depth: 2, include: [mlp]},\n"
      "    regions: [{target: 'a.b:C.step', name: step, arguments: [n], call: true},\n"
      "              {target: 'a:f'}]}}\n"
      "  torch_profiler: {activities: [cpu], record_shapes: true, warmup_rounds: 5}\n");
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_EQ(options.value().agent, PythonOptions::Agent::kAlways);
  EXPECT_EQ(options.value().ranges.max_depth, 2);
  EXPECT_EQ(options.value().ranges.include, std::vector<std::string>{"mlp"});
  ASSERT_EQ(options.value().regions.size(), 2u);
  EXPECT_EQ(options.value().regions[0],
            (python::Region{"a.b:C.step", "step", {"n"}, true}));
  EXPECT_EQ(options.value().regions[1].name, "f");
  EXPECT_TRUE(options.value().profiling.record_shapes);
  EXPECT_EQ(options.value().profiling.warmup_calls, 5);
}

TEST_F(PythonOptionsTest, RefuseRegionsThatNameNoFunction) {
  for (const char* region :
       {"a", "{name: x}", "{target: a.b}", "{target: 'a:'}", "{target: ':f'}",
        "{target: 'a:f', calls: true}", "{target: 'a:f', call: 1}"}) {
    const auto options =
        Read(std::string("pipeline: {workload: {python: {regions: [") + region + "]}}}");
    ASSERT_FALSE(options.ok()) << region;
    EXPECT_NE(options.error().message.find("package.module:Class.method"),
              std::string::npos)
        << options.error().message;
  }
}

TEST_F(PythonOptionsTest, RefuseExpressionsThatPythonRefuses) {
  const auto options =
      Read("pipeline: {workload: {python: {ranges: {include: [mlp], exclude: ['a(']}}}}");
  ASSERT_FALSE(options.ok());
  EXPECT_NE(options.error().message.find("'a(': missing ) (position 1)"),
            std::string::npos)
      << options.error().message;
}

TEST(AgentRequestOfTask, AsksOnlyForWhatTheStageNeeds) {
  const auto request = [](WorkloadTask task) {
    return RequestFor({}, {"/scratch", "/out", task});
  };
  EXPECT_EQ(request(WorkloadTask::kRun).output, "/out/python");
  EXPECT_TRUE(request(WorkloadTask::kRun).calls);
  EXPECT_FALSE(request(WorkloadTask::kRun).ranges ||
               request(WorkloadTask::kRun).profiling);
  EXPECT_TRUE(request(WorkloadTask::kCapture).ranges.has_value());
  EXPECT_FALSE(request(WorkloadTask::kCapture).calls);
  EXPECT_FALSE(request(WorkloadTask::kCapture).describe);
  EXPECT_TRUE(request(WorkloadTask::kProfile).profiling.has_value());
  EXPECT_TRUE(request(WorkloadTask::kProfile).describe);
  EXPECT_TRUE(request(WorkloadTask::kCount).describe);
  EXPECT_TRUE(request(WorkloadTask::kCount).profiling->record_shapes);
}

}  // namespace
}  // namespace ridgeline::workloads
