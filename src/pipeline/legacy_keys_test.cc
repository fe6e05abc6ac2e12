#include "pipeline/legacy_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::pipeline {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LegacyKeys, SpeaksTheWordsOfEarlierTrees) {
  struct Case {
    const char* old;
    std::vector<std::string> now;
  };
  const std::string torch = "pipeline.torch_profiler.";
  const std::string extra = torch + "output.extra.deepseek_ocr.";
  const Case cases[] = {
      {"outputs.save_predictions=true", {torch + "output.prediction.enable=true"}},
      {"+outputs.save_predictions=true", {torch + "output.prediction.enable=true"}},
      {"++outputs.visualization.enable=false",
       {torch + "output.visualization.enable=false"}},
      {"outputs.visualization.save_dir=v", {torch + "output.visualization.save_dir=v"}},
      {"outputs.visualization.max_images=8", {extra + "visualization.max_images=8"}},
      {"outputs.visualization.thumbnail_width=100",
       {extra + "visualization.thumbnail_width=100"}},
      {"outputs.predictions.strip_special_tokens=true",
       {extra + "prediction.strip_special_tokens=true"}},
      {"outputs.predictions.save_dir=p", {torch + "output.prediction.save_dir=p"}},
      {"output.prediction.enable=true", {torch + "output.prediction.enable=true"}},
      {"output.extra.deepseek_ocr.prediction.strip_special_tokens=true",
       {extra + "prediction.strip_special_tokens=true"}},
      {"analysis.static.enabled=false", {"pipeline.static_analysis.enable=false"}},
      {"analysis.static.write_reports=false",
       {"pipeline.static_analysis.write_reports=false"}},
      {"torch_profiler.enabled=false", {torch + "enabled=false"}},
      {"torch_profiler.activities=[cpu]", {torch + "activities=[cpu]"}},
      {"run.stage1_repeats=3", {"dataset.sampling.num_samples_per_epoch=3"}},
      {"repeats=3", {"run.repeats=3"}},
      {"run.device=cuda:1", {"device=cuda:1"}},
      {"pipeline.ncu.nvtx_include=decode/",
       {"pipeline.ncu.ncu_cli.nvtx.include=decode/"}},
      {"pipeline.ncu.set=full", {"pipeline.ncu.ncu_cli.set=full"}},
      {"pipeline.ncu.metrics='a,b'", {"pipeline.ncu.ncu_cli.metrics='a,b'"}},
      {"pipeline.ncu.sections=[A]", {"pipeline.ncu.ncu_cli.sections=[A]"}},
      {"ncu.csv=true", {"pipeline.ncu.ncu_cli.export.csv=true"}},
      {"nsys.trace=[cuda]", {"pipeline.nsys.trace=[cuda]"}},
      {"artifacts.runs_dir=/x", {"hydra.run.dir=/x"}},
      {"runner@stage1_runner=stage1.no-static",
       {"pipeline.static_analysis.enable=false"}},
      {"runners=stage1.no-static", {"pipeline.static_analysis.enable=false"}},
      {"stage1_runner.device=cuda:1", {"device=cuda:1"}},
      {"+experiment=demo", {"+preset=demo"}},
      {"runner=stage2", {"pipeline.nsys.enable=true", "pipeline.ncu.enable=true"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.old);
    const RewrittenOverrides rewritten = RewriteLegacyOverrides({c.old});
    EXPECT_EQ(rewritten.overrides, c.now);
    EXPECT_EQ(rewritten.notes.size(), 1U);
  }
}

TEST(LegacyKeys, LeavesEverythingElseAlone) {
  const std::vector<std::string> overrides = {"device=cpu",
                                              "+experiment=mine",
                                              "experiment=demo",
                                              "~outputs",
                                              "~outputs.a=1",
                                              "outputs",
                                              "outputs.=1",
                                              "runner=mine",
                                              "run.repeats=4",
                                              "output/torch=default",
                                              "x=outputs.a=1",
                                              "",
                                              "pipeline.ncu.ncu_cli.set=full",
                                              "=",
                                              "user.repeats=3"};
  const RewrittenOverrides rewritten = RewriteLegacyOverrides(overrides);
  EXPECT_EQ(rewritten.overrides, overrides);
  EXPECT_THAT(rewritten.notes, IsEmpty());
}

TEST(LegacyKeys, LeavesTwoRunDirectoriesToTheCheck) {
  const std::vector<std::string> differ = {"artifacts.runs_dir=/a", "hydra.run.dir=/b"};
  EXPECT_EQ(RewriteLegacyOverrides(differ).overrides, differ);
  const RewrittenOverrides equal =
      RewriteLegacyOverrides({"artifacts.runs_dir=/a", "hydra.run.dir=/a"});
  EXPECT_THAT(equal.overrides, ElementsAre("hydra.run.dir=/a"));
  EXPECT_THAT(equal.notes,
              ElementsAre("artifacts.runs_dir is ignored: hydra.run.dir is given"));
}

TEST(LegacyKeys, DoesNotConfirmNamesThatDoNotExist) {
  const ConfigKey keys[] = {{.path = "pipeline.torch_profiler.activities"},
                            {.path = "pipeline.ncu.ncu_cli.nvtx.include"}};
  const KeyGroup groups[] = {{.keys = keys}};
  const std::pair<const char*, const char*> cases[] = {
      {"torch_profiler.activities=[cpu]",
       "torch_profiler.activities is now pipeline.torch_profiler.activities"},
      {"ncu.nvtx={include: x}", "ncu.nvtx is now pipeline.ncu.ncu_cli.nvtx"},
      {"torch_profiler.activites=[cpu]",
       "torch_profiler.activites would be pipeline.torch_profiler.activites now, which "
       "is not a key"},
      {"stage1_runner.disable_static=true",
       "stage1_runner.disable_static=true is now pipeline.static_analysis.enable=false"},
      {"artifacts.runs_dir=x", "artifacts.runs_dir is now hydra.run.dir"}};
  for (const auto& [override, want] : cases) {
    EXPECT_THAT(RewriteLegacyOverrides({override}, groups).notes, ElementsAre(want));
  }
}

TEST(LegacyKeys, TellsEachOldKeyOnce) {
  const RewrittenOverrides rewritten =
      RewriteLegacyOverrides({"repeats=1", "device=cpu", "repeats=2"});
  EXPECT_THAT(rewritten.overrides,
              ElementsAre("run.repeats=1", "device=cpu", "run.repeats=2"));
  EXPECT_THAT(rewritten.notes, ElementsAre("repeats is now run.repeats"));
}

}  // namespace
}  // namespace ridgeline::pipeline
