#include "workloads/placed_config.h"

#include <gmock/gmock.h>

#include "config/value/yaml_dump.h"
#include "config/value/yaml_load.h"

namespace ridgeline::workloads {
namespace {

using pipeline::WorkloadTask;

constexpr const char* kFull =
    "dataset: {sampling: {num_samples_per_epoch: 1000, num_epochs: 3}}\n"
    "run: {repeats: 3}\n"
    "infer: {max_new_tokens: 8192}\n";

config::Value Load(const std::string& yaml) {
  return config::LoadYaml(yaml, "test.yaml").value();
}

std::string Placed(const std::string& yaml, const pipeline::WorkloadPlace& place) {
  return config::DumpYaml(PlacedConfig(Load(yaml), place));
}

std::string SaveDir(const std::string& path, const pipeline::WorkloadPlace& place) {
  const std::string yaml = Placed(
      "pipeline: {torch_profiler: {output: {prediction: {save_dir: '" + path + "'}}}}",
      place);
  const size_t at = yaml.find("save_dir: ");
  return yaml.substr(at + 10, yaml.find('\n', at) - at - 10);
}

TEST(PlacedConfigTest, PutsOutputsWhereTheyAreFoundAfterTheStage) {
  const pipeline::WorkloadPlace stage = {"/r/tmp/workload/torch_profiler",
                                         "/r/tmp/torch_profiler",
                                         WorkloadTask::kProfile,
                                         "/r/torch_profiler",
                                         {}};
  const pipeline::WorkloadPlace capture = {
      "/r/tmp/workload/nsys", "/r/tmp/workload/nsys", WorkloadTask::kCapture, {}, {}};
  struct Case {
    const char* what;
    const char* save_dir;
    const char* want;
    const char* under_nsys;  // Always below its scratch directory.
  };
  const Case cases[] = {
      {"the default", "pred", "pred", "pred"},
      {"deeper", "a/b", "a/b", "a/b"},
      {"beside the stage", "../x", "/r/x", "pred"},
      {"deeper there", "../x/y", "/r/x/y", "pred"},
      {"back again", "../torch_profiler/x", "x", "../torch_profiler/x"},
      {"around", "a/../b", "b", "a/../b"},
      {"with a slash", "../x/", "/r/x", "pred"},
      {"absolute", "/data/p", "/data/p", "pred"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(SaveDir(c.save_dir, stage), c.want);
    EXPECT_EQ(SaveDir(c.save_dir, capture), c.under_nsys);
  }
}

TEST(PlacedConfigTest, NamesWhatItWritesToTheRunDirectory) {
  EXPECT_THAT(
      OutputNamesInRun(Load("pipeline: {torch_profiler: {output: {prediction: {save_dir: "
                            "../x/y}, visualization: {save_dir: viz}}}}")),
      testing::ElementsAre("x"));
}

TEST(PlacedConfigTest, LimitsCaptures) {
  struct Case {
    const char* what;
    const char* yaml;
    pipeline::CaptureLimits limits;
    const char* want;
  };
  const Case cases[] = {
      {"one page, one pass, few tokens",
       kFull,
       {},
       "num_samples_per_epoch: 1, num_epochs: 1, repeats: 1, tokens: 512"},
      {"fewer than the limits",
       "dataset: {sampling: {num_samples_per_epoch: 2}}\nrun: {repeats: 2}\n"
       "infer: {max_new_tokens: 6}\n",
       {.samples = 9, .repeats = 9},
       "num_samples_per_epoch: 2, num_epochs: 1, repeats: 2, tokens: 6"},
      {"the samples of all epochs",
       "dataset: {sampling: {num_samples_per_epoch: 2, num_epochs: 3}}\n",
       {.samples = 6},
       "num_samples_per_epoch: 2, num_epochs: 3, repeats: 1, tokens: 512"},
      {"too many epochs",
       "dataset: {sampling: {num_samples_per_epoch: 2, num_epochs: 3}}\n",
       {.samples = 5},
       "num_samples_per_epoch: 2, num_epochs: 1, repeats: 1, tokens: 512"},
      {"tokens that were asked for",
       "run: {representative_max_new_tokens: 900}\ninfer: {max_new_tokens: 8192}\n",
       {},
       "num_samples_per_epoch: 1, num_epochs: 1, repeats: 1, tokens: 900"},
      {"a tree without these keys",
       "device: cpu\n",
       {},
       "num_samples_per_epoch: 1, num_epochs: 1, repeats: 1, tokens: 512"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const config::Value placed =
        PlacedConfig(Load(c.yaml), {"/s", "/s", WorkloadTask::kCapture, {}, c.limits});
    const config::Dict& run = placed.dict().Find("run")->dict();
    const config::Dict& sampling =
        placed.dict().Find("dataset")->dict().Find("sampling")->dict();
    const auto number = [](const config::Dict& dict, const char* key) {
      return std::get<config::Integer>(dict.Find(key)->scalar()).AsInt64();
    };
    EXPECT_EQ("num_samples_per_epoch: " +
                  std::to_string(number(sampling, "num_samples_per_epoch")) +
                  ", num_epochs: " + std::to_string(number(sampling, "num_epochs")) +
                  ", repeats: " + std::to_string(number(run, "repeats")) + ", tokens: " +
                  std::to_string(number(run, "representative_max_new_tokens")),
              c.want);
  }
}

TEST(PlacedConfigTest, LeavesOtherRunsAndUnlimitedCapturesAlone) {
  EXPECT_EQ(Placed(kFull, {"/s", "/o", WorkloadTask::kRun, "/r/direct_inference", {}}),
            config::DumpYaml(Load(kFull)));
  const pipeline::CaptureLimits none = {std::nullopt, std::nullopt, std::nullopt};
  EXPECT_THAT(Placed(kFull, {"/s", "/s", WorkloadTask::kCapture, {}, none}),
              testing::HasSubstr("num_samples_per_epoch: 1000"));
}

TEST(PlacedConfigTest, DrawsNothingUnderAProfiler) {
  EXPECT_THAT(
      Placed("pipeline: {torch_profiler: {output: {visualization: {enable: true}}}}",
             {"/s", "/s", WorkloadTask::kCapture, {}, {}}),
      testing::HasSubstr("visualization:\n        enable: false\n"));
}

}  // namespace
}  // namespace ridgeline::workloads
