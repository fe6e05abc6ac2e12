#include "pipeline/adapt_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/compose/composer.h"
#include "config/tree/to_value.h"
#include "config/value/yaml_dump.h"

namespace ridgeline::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using enum ValueKind;

constexpr ConfigKey kKeys[] = {
    {.path = "device", .required = true},
    {.path = "run.device"},
    {.path = "run.repeats", .kind = kInteger, .otherwise = "3"},
    {.path = "pipeline.torch_profiler.output.prediction.enable",
     .kind = kBool,
     .otherwise = "false"},
    {.path = "pipeline.torch_profiler.output.visualization.enable",
     .kind = kBool,
     .otherwise = "true"},
    {.path = "pipeline.static_analysis.enable", .kind = kBool, .otherwise = "true"},
    {.path = "pipeline.nsys|ncu.enable", .kind = kBool, .otherwise = "false"},
    {.path = "pipeline.ncu.ncu_cli.set", .otherwise = "roofline"},
};

struct Adapted {
  std::string yaml;
  std::string run_dir;  // hydra.run.dir
  std::vector<std::string> notes;
};

// A tree of config.yaml and preset.yaml, composed with overrides.
Adapted Compose(const std::string& config, const std::string& preset,
                std::vector<std::string> overrides) {
  config::MemoryFiles files;
  files.Add("/conf/config.yaml", config);
  files.Add("/conf/preset.yaml", preset);
  config::Workspace workspace{config::World{}};
  const KeyGroup groups[] = {{kKeys}};
  Adapted adapted;
  const auto adapt = [&](config::Workspace& space, config::Node& root) -> config::Status {
    const TreeFiles tree{"/config.yaml", "/own"};
    RIDGELINE_RETURN_IF_ERROR(AdoptLegacyKeys(space, root, groups, tree, adapted.notes));
    RIDGELINE_RETURN_IF_ERROR(UniteRunDirectories(space, root));
    RIDGELINE_RETURN_IF_ERROR(FillDefaults(space, root, groups));
    return LiftCaptureLimits(space, root, adapted.notes);
  };
  config::Result<config::Composition> composed =
      config::Compose(workspace, {.files = &files,
                                  .config_path = "/conf",
                                  .config_name = "config",
                                  .overrides = std::move(overrides),
                                  .working_directory = "/here",
                                  .adapt = adapt});
  EXPECT_TRUE(composed.ok()) << config::Describe(composed.error());
  if (!composed.ok()) return adapted;
  config::UseHydraNode(workspace, *composed.value().root);
  const auto run_dir = config::RunDirectory(workspace, *composed.value().root);
  if (run_dir.ok()) adapted.run_dir = run_dir.value();
  config::Node& job = config::JobConfig(workspace, *composed.value().root);
  EXPECT_TRUE(config::ResolveInPlace(workspace, job).ok());
  adapted.yaml = config::DumpYaml(config::ToValue(job));
  return adapted;
}

constexpr const char* kTree = "defaults: [preset, _self_]\ndataset: {}\n";

TEST(AdaptTree, FillsKeysThatATreeLeavesOut) {
  const Adapted adapted = Compose(kTree, "pipeline: {ncu: {enable: true}}\n", {});
  EXPECT_THAT(adapted.notes, IsEmpty());
  EXPECT_THAT(adapted.yaml, HasSubstr("repeats: 3"));
  EXPECT_THAT(adapted.yaml, HasSubstr("ncu:\n    enable: true\n"));
  EXPECT_THAT(adapted.yaml, HasSubstr("nsys:\n    enable: false\n"));
  EXPECT_THAT(adapted.yaml, HasSubstr("set: roofline"));
}

TEST(AdaptTree, LimitsOfCapturesYieldToNumbersOnTheCommandLine) {
  constexpr const char* kLimited =
      "dataset: {sampling: {num_samples_per_epoch: 3, num_epochs: 2}}\n"
      "infer: {max_new_tokens: 9000}\n"
      "pipeline: {nsys: {enable: true, limits: {samples: 1, repeats: 1, "
      "max_new_tokens: 512}}}\n";
  const struct {
    std::vector<std::string> overrides;
    const char* limits;
    std::vector<std::string> notes;
  } kCases[] = {
      {{}, "samples: 1\n      repeats: 1\n      max_new_tokens: 512\n", {}},
      {{"dataset.sampling.num_samples_per_epoch=20"},
       "samples: null\n      repeats: 1\n      max_new_tokens: 512\n",
       {"pipeline.nsys.limits.samples is lifted: "
        "dataset.sampling.num_samples_per_epoch=20 is given"}},
      {{"infer.max_new_tokens=1000"},
       "samples: 1\n      repeats: 1\n      max_new_tokens: null\n",
       {"pipeline.nsys.limits.max_new_tokens is lifted: infer.max_new_tokens=1000 is "
        "given"}},
      // Replaces the limit of tokens.
      {{"infer.max_new_tokens=1000", "+run.representative_max_new_tokens=700"},
       "samples: 1\n      repeats: 1\n      max_new_tokens: 512\n",
       {}},
      // Samples are those of all epochs.
      {{"dataset.sampling.num_epochs=2"},
       "samples: null\n      repeats: 1\n      max_new_tokens: 512\n",
       {"pipeline.nsys.limits.samples is lifted: dataset.sampling.num_epochs=2 is "
        "given"}},
      {{"dataset.sampling.num_epochs=1"}, "samples: 1\n", {}},
      {{"dataset.sampling.num_epochs=2", "dataset.sampling.num_samples_per_epoch=1"},
       "samples: null\n",
       {"pipeline.nsys.limits.samples is lifted: dataset.sampling.num_epochs=2 is "
        "given"}},
      {{"run.repeats=2"},
       "samples: 1\n      repeats: null\n      max_new_tokens: 512\n",
       {"pipeline.nsys.limits.repeats is lifted: run.repeats=2 is given"}},
      {{"run.repeats=1"}, "repeats: 1\n      max_new_tokens: 512\n", {}},
      // One sample, once, in any case.
      {{"dataset.sampling.num_samples_per_epoch=20", "run.repeats=2", "+run.mode=light"},
       "samples: 1\n      repeats: 1\n",
       {}},
      {{"dataset.sampling.num_samples_per_epoch=1", "infer.max_new_tokens=512"},
       "samples: 1\n      repeats: 1\n      max_new_tokens: 512\n",
       {}},
      {{"dataset.sampling.num_samples_per_epoch=20", "pipeline.nsys.limits.samples=2"},
       "samples: 2\n      repeats: 1\n      max_new_tokens: 512\n",
       {}},
      {{"dataset.sampling.num_samples_per_epoch=null"},
       "samples: null\n",
       {"pipeline.nsys.limits.samples is lifted: "
        "dataset.sampling.num_samples_per_epoch=null is given"}},
      {{"infer.max_new_tokens=1000", "pipeline.nsys.enable=false"},
       "samples: 1\n      repeats: 1\n      max_new_tokens: null\n",
       {}},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(testing::PrintToString(c.overrides));
    const Adapted adapted = Compose(kLimited, "{}\n", c.overrides);
    EXPECT_THAT(adapted.yaml, HasSubstr(c.limits));
    EXPECT_EQ(adapted.notes, c.notes);
  }
}

// Whether or not hydra.run.dir refers to artifacts.runs_dir in a file, the command line
// may have either.
TEST(AdaptTree, EitherNameSetsTheRunDirectory) {
  const std::string derived =
      "artifacts: {runs_dir: '${hydra:runtime.cwd}/tmp/runs'}\n"
      "hydra: {run: {dir: '${artifacts.runs_dir}'}}\n";
  const std::string alone = "artifacts: {runs_dir: /data/runs}\n";
  const std::string equal =
      "artifacts: {runs_dir: '${hydra:run.dir}'}\n"
      "hydra: {run: {dir: /data/runs}}\n";
  const std::string different =
      "artifacts: {runs_dir: /data/a}\nhydra: {run: {dir: /data/b}}\n";
  const struct {
    std::string config;
    std::vector<std::string> overrides;
    const char* used;   // hydra.run.dir
    const char* alias;  // artifacts.runs_dir
  } kCases[] = {
      {derived, {}, "/here/tmp/runs", "/here/tmp/runs"},
      {derived, {"hydra.run.dir=/x"}, "/x", "/x"},
      {derived, {"++artifacts={runs_dir: /x}"}, "/x", "/x"},
      {derived, {"artifacts.runs_dir=/x", "hydra.run.dir=/y"}, "/y", "/x"},
      {alone, {}, "/data/runs", "/data/runs"},
      {alone, {"hydra.run.dir=/x"}, "/x", "/x"},
      {equal, {}, "/data/runs", "/data/runs"},
      {equal, {"hydra.run.dir=/x"}, "/x", "/x"},
      {different, {}, "/data/b", "/data/a"},  // Refused by CheckConfig.
      {different, {"hydra.run.dir=/x"}, "/x", "/x"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.config + testing::PrintToString(c.overrides));
    const Adapted adapted = Compose(kTree + c.config, "{}\n", c.overrides);
    EXPECT_EQ(adapted.run_dir, c.used);
    EXPECT_THAT(adapted.yaml, HasSubstr(std::string("runs_dir: ") + c.alias + "\n"));
  }
}

TEST(AdaptTree, OverridesReachKeysThatATreeLeavesOut) {
  const Adapted adapted = Compose(kTree, "{}\n", {"run.repeats=5", "~pipeline.nsys"});
  EXPECT_THAT(adapted.yaml, HasSubstr("repeats: 5"));
  EXPECT_THAT(adapted.yaml, HasSubstr("nsys:\n    enable: false\n"));
}

TEST(AdaptTree, LeavesOtherTreesAlone) {
  EXPECT_EQ(Compose("db: mysql\n", "{}\n", {}).yaml, "db: mysql\n");
}

TEST(AdaptTree, ReadsEarlierKeysOfFilesAndMappings) {
  struct Case {
    const char* config;
    const char* preset;
    std::vector<std::string> overrides;
    const char* expected;  // In the resolved configuration.
    const char* note;
  };
  const char* const now = "pipeline.torch_profiler.output.prediction.enable";
  const std::string moved = std::string("outputs.save_predictions is now ") + now;
  const Case cases[] = {
      // The primary config wins over a preset,
      {"outputs: {save_predictions: true}\n",
       "pipeline: {torch_profiler: {output: {prediction: {enable: false}}}}\n",
       {},
       "prediction:\n        enable: true",
       "outputs.save_predictions is now "},
      // but not over the current name next to it,
      {"outputs: {save_predictions: true}\n"
       "pipeline: {torch_profiler: {output: {prediction: {enable: false}}}}\n",
       "{}\n",
       {},
       "prediction:\n        enable: false",
       "outputs.save_predictions is ignored: "},
      // nor over the command line.
      {"outputs: {save_predictions: true}\n",
       "{}\n",
       {"pipeline.torch_profiler.output.prediction.enable=false"},
       "prediction:\n        enable: false",
       "outputs.save_predictions is now "},
      {"{}\n",
       "{}\n",
       {"++outputs={save_predictions: true}"},
       "prediction:\n        enable: true",
       "outputs.save_predictions is now "},
      {"{}\n",
       "{}\n",
       {"pipeline.torch_profiler.output.prediction.enable=false",
        "++outputs={save_predictions: true}"},
       "prediction:\n        enable: false",
       "outputs.save_predictions is ignored: "},
      {"run: {device: cpu}\n", "{}\n", {}, "\ndevice: cpu", "run.device is now device"},
      {"run: {device: cpu}\n",
       "{}\n",
       {"device=cuda"},
       "run:\n  device: cuda",
       "run.device is now device"},
      // Once per key, for a file and a mapping.
      {"outputs: {save_predictions: true}\n",
       "{}\n",
       {"++outputs={save_predictions: false}"},
       "prediction:\n        enable: false",
       "outputs.save_predictions is now "},
      {"stage1_runner: {repeats: 7}\n",
       "{}\n",
       {},
       "run:\n  repeats: 7",
       "stage1_runner.repeats is now run.repeats ("},
      {"{}\n", "pipeline: {ncu: {set: full}}\n", {}, "set: full", "pipeline.ncu.set is"},
      {"stage1_runner: {disable_static: true}\n",
       "{}\n",
       {},
       "static_analysis:\n    enable: false",
       "stage1_runner.disable_static=true is now pipeline.static_analysis.enable=false "
       "("},
      {"stage1_runner: {disable_static: true}\n",
       "{}\n",
       {"++pipeline.static_analysis.enable=true"},
       "static_analysis:\n    enable: true",
       "stage1_runner.disable_static=true is now "},
      {"stage1_runner: {disable_static: true}\n"
       "pipeline: {static_analysis: {enable: true}}\n",
       "{}\n",
       {},
       "static_analysis:\n    enable: true",
       "stage1_runner.disable_static is ignored: "},
      {"{}\n",
       "{}\n",
       {"++stage1_runner={disable_static: false}"},
       "static_analysis:\n    enable: true",
       "stage1_runner.disable_static=false is now pipeline.static_analysis.enable=true"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.config) + c.preset);
    const std::string config = std::string(c.config) == "{}\n" ? "" : c.config;
    const Adapted adapted = Compose(kTree + config, c.preset, c.overrides);
    EXPECT_THAT(adapted.yaml, HasSubstr(c.expected));
    EXPECT_THAT(adapted.notes, ElementsAre(HasSubstr(c.note)));
  }
}

TEST(AdaptTree, AKeyWithoutAnEffectLeavesTheTree) {
  const Adapted adapted =
      Compose(std::string(kTree) + "stage1_runner: {disable_static: false}\n",
              "pipeline: {static_analysis: {enable: false}}\n", {});
  EXPECT_THAT(adapted.notes, IsEmpty());
  EXPECT_THAT(adapted.yaml, HasSubstr("static_analysis:\n    enable: false"));
  EXPECT_THAT(adapted.yaml, testing::Not(HasSubstr("stage1_runner")));
}

}  // namespace
}  // namespace ridgeline::pipeline
