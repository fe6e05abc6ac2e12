// Tests pipeline/config_schema.h with the keys of all owners.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/registry.h"
#include "config/compose/composer.h"

namespace ridgeline::app {
namespace {

using pipeline::Expected;
using pipeline::SplitChoices;
using pipeline::ValueKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A small Ridgeline configuration.
constexpr const char* kYaml = R"(device: cpu
run: {device: "${device}", repeats: 3}
dataset: {root: /data}
model:
  name: deepseek_ocr
  path: /models
  preprocess: {base_size: 1024, image_size: 640, patch_size: 16, downsample_ratio: 4}
infer: {max_new_tokens: 64, temperature: 0.0, do_sample: false}
pipeline:
  torch_profiler:
    enable: true
    activities: [cpu, cuda]
    output: {extra: {deepseek_ocr: {visualization: {max_images: 4}}}}
  nsys: {enable: true, trace: "cuda,nvtx", sample: none, capture_range: none, nvtx_capture: null}
  ncu: {ncu_cli: {sections: [A], replay_mode: kernel, nvtx: {include: decode/}}}
  workload: {command: [], module: null}
user: {}
)";

std::vector<std::string> Mistakes(std::vector<std::string> overrides) {
  config::MemoryFiles files;
  files.Add("/conf/config.yaml", kYaml);
  config::Workspace workspace{config::World{}};
  config::Result<config::Composition> composed =
      config::Compose(workspace, {.files = &files,
                                  .config_path = "/conf",
                                  .config_name = "config",
                                  .overrides = std::move(overrides),
                                  .working_directory = "/"});
  EXPECT_TRUE(composed.ok()) << config::Describe(composed.error());
  std::vector<std::string> texts;
  config::Node& job = config::JobConfig(workspace, *composed.value().root);
  for (const config::Error& error : CheckConfig(workspace, job)) {
    texts.push_back(config::Describe(error));
  }
  return texts;
}

TEST(ConfigSchema, AcceptsWhatIsRight) {
  const std::vector<std::vector<std::string>> cases = {
      {},
      {"device=cuda"},
      {"device=cuda:12"},
      {"device=auto"},
      {"infer.max_new_tokens=1"},
      {"infer.temperature=1"},
      {"pipeline.nsys.trace=[cuda,nvtx]"},
      {"+pipeline.nsys.gpu_metrics=0"},
      {"+pipeline.nsys.gpu_metrics=[0,1]"},
      {"+pipeline.nsys.gpu_metrics=all"},
      {"+pipeline.nsys.capture_range_end=repeat:3"},
      {"+pipeline.nsys.capture_range_end="},
      {"+pipeline.nsys.capture_range_end=null"},
      {"pipeline.ncu.ncu_cli.nvtx.include=[a/,b/]"},
      {"pipeline.ncu.ncu_cli.sections=null"},
      {"+pipeline.torch_profiler.output.extra.other={depth:[1,2]}"},
      {"+user.anything={a:1}"},
      {"+user.a.b=c"},
      {"+pipeline.nsys.timeout_s=0.5"},
      {"+pipeline.workload.env={CUDA_VISIBLE_DEVICES:'0'}"},
      {"pipeline.workload.command=[a,-n,10,0.5]"},
      {"~infer"},
  };
  for (const std::vector<std::string>& overrides : cases) {
    EXPECT_THAT(Mistakes(overrides), IsEmpty()) << testing::PrintToString(overrides);
  }
}

TEST(ConfigSchema, NamesKeyExpectationValueAndPlace) {
  struct Case {
    const char* override_text;
    const char* want;
  };
  const Case cases[] = {
      {"infer.max_new_tokens=inf",
       "infer.max_new_tokens: expected an integer >= 1, got inf"},
      {"infer.max_new_tokens=null",
       "infer.max_new_tokens: expected an integer >= 1, got null"},
      {"infer.max_new_tokens=2.5",
       "infer.max_new_tokens: expected an integer >= 1, got 2.5"},
      {"infer.max_new_tokens=true",
       "infer.max_new_tokens: expected an integer >= 1, got true"},
      {"infer.max_new_tokens=-3",
       "infer.max_new_tokens: expected an integer >= 1, got -3"},
      {"infer.max_new_tokens=0", "infer.max_new_tokens: expected an integer >= 1, got 0"},
      {"infer.max_new_tokens='64'",
       "infer.max_new_tokens: expected an integer >= 1, got '64'"},
      {"infer.max_new_tokens=???",
       "expected an integer >= 1, but no value was given (???)"},
      {"infer.max_new_tokens=99999999999999999999", "got 99999999999999999999"},
      {"~infer.max_new_tokens",
       "infer.max_new_tokens: missing; expected an integer >= 1"},
      {"infer.temperature=nan", "infer.temperature: expected a number >= 0, got nan"},
      {"infer={max_new_tokens:[1]}",
       "infer.max_new_tokens: expected an integer >= 1, got [1]"},
      {"device=gpu", "device: expected cpu, cuda, cuda:N or auto, got 'gpu'"},
      {"device=cuda:", "got 'cuda:'"},
      {"device=cuda:-1", "got 'cuda:-1'"},
      {"device=cuda:x", "got 'cuda:x'"},
      {"model=3", "model: expected a mapping, got 3"},
      {"pipeline.workload.command=[a,true]",
       "pipeline.workload.command[1]: expected text, got true"},
      {"pipeline.workload=null", "pipeline.workload: expected a mapping, got null"},
      {"pipeline.torch_profiler.enable=1",
       "pipeline.torch_profiler.enable: expected true or false, got 1"},
      {"pipeline.torch_profiler.activities=[cpu,gpu]",
       "pipeline.torch_profiler.activities[1]: expected one of cpu, cuda, got 'gpu'\n"
       "Did you mean 'cuda'?"},
      {"pipeline.torch_profiler.activities=cpu",
       "pipeline.torch_profiler.activities: expected a list of cpu, cuda, got 'cpu'"},
      {"pipeline.nsys.trace='cuda,nvtxx'", "Did you mean 'nvtx'?"},
      {"pipeline.nsys.trace=[cuda,3]", "pipeline.nsys.trace[1]: expected one of"},
      {"pipeline.nsys.sample=off",
       "pipeline.nsys.sample: expected one of none, cpu, process-tree, system-wide, got"},
      {"+pipeline.nsys.capture_range_end=repeat:0",
       "repeat[:N] or repeat-shutdown:N or null"},
      {"+pipeline.nsys.timeout_s=0", "expected a number > 0 or null, got 0"},
      {"pipeline.ncu.ncu_cli.replay_mode=app_range", "Did you mean 'app-range'?"},
      {"user=3", "user: expected a mapping, got 3"},
      {"pipeline.nsys.sample=${nope}",
       "pipeline.nsys.sample: Interpolation key 'nope' not found"},
      {"+pipeline.nsys.cpuctxsw=${device}", "got 'cpu', from ${device}"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.override_text);
    const std::vector<std::string> mistakes = Mistakes({c.override_text});
    ASSERT_EQ(mistakes.size(), 1U);
    EXPECT_THAT(mistakes[0], HasSubstr(c.want));
  }
}

TEST(ConfigSchema, RefusesKeysThatItDoesNotKnow) {
  struct Case {
    const char* override_text;
    const char* want;
  };
  const Case cases[] = {
      {"+pipeline.nsys.tracee=cuda",
       "override '+pipeline.nsys.tracee=cuda': pipeline.nsys.tracee: no such key\n"
       "Did you mean 'pipeline.nsys.trace'?"},
      {"+devise=cpu", "devise: no such key\nDid you mean 'device'?"},
      {"+ticket=42",
       "ticket: no such key\n"
       "Put your own keys under 'user': +user.ticket=..."},
      {"+model.vision_mode=nocrop", "model.vision_mode: no such key"},
      {"+pipeline.ncu.kernel_exclude=[a]",
       "Did you mean 'pipeline.ncu.ncu_cli.kernel_exclude'?"},
      {"+outputs.save_predictions=true",
       "outputs: no such key\n'outputs.save_predictions' is now "
       "'pipeline.torch_profiler.output.prediction.enable'."},
      {"+pipeline.ncu.nvtx_include=a",
       "pipeline.ncu.nvtx_include: no such key\n"
       "'pipeline.ncu.nvtx_include' is now 'pipeline.ncu.ncu_cli.nvtx.include'."},
      {"+pipeline.nsys.output.prediction.enable=true",
       "pipeline.nsys.output: no such key"},
      {"+pipeline.perf.enable=true", "pipeline.perf: no such key"},
      {"+pipeline.torch_profiler.output.extra.deepseek_ocr.depth=1",
       "pipeline.torch_profiler.output.extra.deepseek_ocr.depth: no such key"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.override_text);
    const std::vector<std::string> mistakes = Mistakes({c.override_text});
    ASSERT_EQ(mistakes.size(), 1U);
    EXPECT_THAT(mistakes[0], HasSubstr(c.want));
  }
}

TEST(ConfigSchema, ReportsAllMistakesWithTheirLines) {
  EXPECT_THAT(
      Mistakes({"device=gpu", "+pipeline.nsys.x=1", "infer.do_sample=maybe"}),
      ElementsAre(
          "override 'device=gpu': device: expected cpu, cuda, cuda:N or auto, got "
          "'gpu'",
          "override 'infer.do_sample=maybe': infer.do_sample: expected true or "
          "false, got 'maybe'",
          "override '+pipeline.nsys.x=1': pipeline.nsys.x: no such key"));
}

TEST(ConfigSchema, RefusesValuesThatDoNotGoTogether) {
  struct Case {
    std::vector<std::string> overrides;
    const char* want;
  };
  const Case cases[] = {
      {{"pipeline.nsys.capture_range=nvtx"}, "pipeline.nsys.nvtx_capture: is empty"},
      {{"pipeline.nsys.capture_range=nvtx", "pipeline.nsys.nvtx_capture="},
       "pipeline.nsys.nvtx_capture: is empty"},
      {{"run.device=cuda:1"}, "run.device: is 'cuda:1', but device is 'cpu'"},
      {{"+pipeline.nsys.nvtx_domain_include=a", "+pipeline.nsys.nvtx_domain_exclude=b"},
       "mutually exclusive"},
      {{"pipeline.workload.module=llm_perf_opt.runners.llm_profile_runner",
        "pipeline.workload.command=[a]"},
       "pipeline.workload.module: selects the built-in model, but "},
      {{"infer.do_sample=true"}, "infer.temperature: must be above 0"},
      {{"+infer.context_len_mode=fixed"}, "infer.context_len_fixed: is required"},
      {{"model.preprocess.image_size=650"}, "is 650, not a multiple of"},
      {{"+pipeline.torch_profiler.group_by_input_shape=true"}, "record_shapes=true"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.overrides));
    const std::vector<std::string> mistakes = Mistakes(c.overrides);
    ASSERT_EQ(mistakes.size(), 1U);
    EXPECT_THAT(mistakes[0], HasSubstr(c.want));
  }
}

TEST(ConfigSchema, AGateThatIsOffNeedsNoRange) {
  EXPECT_THAT(
      Mistakes({"pipeline.nsys.capture_range=nvtx", "pipeline.nsys.enable=false"}),
      IsEmpty());
  EXPECT_THAT(
      Mistakes({"pipeline.nsys.capture_range=nvtx", "+pipeline.nsys.gating_nvtx=false"}),
      IsEmpty());
  EXPECT_THAT(
      Mistakes({"pipeline.nsys.capture_range=nvtx", "pipeline.nsys.nvtx_capture=decode"}),
      IsEmpty());
}

TEST(ConfigKeys, SayWhatTheyExpect) {
  EXPECT_EQ(
      Expected({.path = "x", .kind = ValueKind::kInteger, .nullable = true, .min = 1}),
      "an integer >= 1 or null");
  EXPECT_EQ(SplitChoices("a|b"), (std::vector<std::string>{"a", "b"}));
  EXPECT_THAT(SplitChoices(""), IsEmpty());
}

}  // namespace
}  // namespace ridgeline::app
