#include "workloads/keys.h"

#include <fmt/format.h>

#include "config/value/python_text.h"
#include "pipeline/config_values.h"

namespace ridgeline::workloads {
namespace {

using config::Node;
using pipeline::ConfigKey;
using enum pipeline::ValueKind;

constexpr ConfigKey kDatasetKeys[] = {
    {.path = "dataset.name"},
    {.path = "dataset.root", .required = true},
    {.path = "dataset.subset_filelist", .nullable = true, .otherwise = "null"},
    {.path = "dataset.fallback_patterns", .kind = kTextList},
    {.path = "dataset.on_error", .choices = "skip|fail"},
    {.path = "dataset.sampling.num_samples_per_epoch",
     .kind = kInteger,
     .nullable = true,
     .min = 1,
     .otherwise = "null"},
    {.path = "dataset.sampling.num_epochs", .kind = kInteger, .min = 1, .otherwise = "1"},
    {.path = "dataset.sampling.randomize", .kind = kBool, .otherwise = "false"},
    {.path = "dataset.sampling.seed",
     .kind = kInteger,
     .nullable = true,
     .min = 0,
     .otherwise = "null"},
};

constexpr ConfigKey kModelKeys[] = {
    {.path = "model.name", .required = true},
    {.path = "model.path", .nullable = true, .required = true},
    {.path = "model.dtype",
     .choices = "bf16|fp16|fp32|bfloat16|float16|float32",
     .otherwise = "bf16"},
    {.path = "model.create.preset",
     .nullable = true,
     .choices = "tiny|small|full",
     .otherwise = "null"},
    {.path = "model.create.seed", .kind = kInteger, .min = 0, .otherwise = "0"},
    {.path = "model.preprocess.enable", .kind = kBool},
    {.path = "model.preprocess.base_size", .kind = kInteger, .min = 1},
    {.path = "model.preprocess.image_size", .kind = kInteger, .min = 1},
    {.path = "model.preprocess.crop_mode", .kind = kBool},
    {.path = "model.preprocess.patch_size", .kind = kInteger, .min = 1},
    {.path = "model.preprocess.downsample_ratio", .kind = kInteger, .min = 1},
};

constexpr ConfigKey kInferenceKeys[] = {
    {.path = "infer.temperature", .kind = kNumber, .min = 0, .otherwise = "0.0"},
    {.path = "infer.max_new_tokens", .kind = kInteger, .required = true, .min = 1},
    {.path = "infer.no_repeat_ngram_size", .kind = kInteger, .min = 0, .otherwise = "20"},
    {.path = "infer.do_sample", .kind = kBool, .otherwise = "false"},
    {.path = "infer.seed", .kind = kInteger, .min = 0, .otherwise = "0"},
    {.path = "infer.context_len_mode", .choices = "auto|max|fixed", .otherwise = "auto"},
    {.path = "infer.context_len_fixed", .kind = kInteger, .min = 1, .otherwise = "1024"},
    {.path = "infer.decoder_prompt",
     .otherwise = R"("<image>\n<|grounding|>Convert the document to markdown. ")"},
};

// Stages whose runs of a model make predictions have outputs. What other models have
// below `extra` is theirs.
constexpr ConfigKey kOutputKeys[] = {
    {.path = "pipeline.torch_profiler|direct_inference.output.prediction.enable",
     .kind = kBool,
     .otherwise = "false"},
    {.path = "pipeline.torch_profiler|direct_inference.output.prediction.save_dir",
     .nullable = true,
     .otherwise = "pred"},
    {.path = "pipeline.torch_profiler|direct_inference.output.visualization.enable",
     .kind = kBool,
     .otherwise = "true"},
    {.path = "pipeline.torch_profiler|direct_inference.output.visualization.save_dir",
     .nullable = true,
     .otherwise = "viz"},
    {.path = "pipeline.torch_profiler|direct_inference.output.extra.deepseek_ocr."
             "prediction.strip_special_tokens",
     .kind = kBool,
     .otherwise = "false"},
    {.path = "pipeline.torch_profiler|direct_inference.output.extra.deepseek_ocr."
             "visualization.max_images",
     .kind = kInteger,
     .nullable = true,
     .min = 0,
     .otherwise = "16"},
    {.path = "pipeline.torch_profiler|direct_inference.output.extra.deepseek_ocr."
             "visualization.thumbnail_width",
     .kind = kInteger,
     .min = 1,
     .otherwise = "480"},
    {.path = "pipeline.torch_profiler|direct_inference.output.extra.*", .kind = kMapping},
};

constexpr ConfigKey kParityKeys[] = {
    {.path = "parity.reference", .nullable = true, .otherwise = "null"},
    {.path = "parity.logits_tolerance", .kind = kNumber, .min = 0, .otherwise = "0.0001"},
};

// What earlier configurations call the workload; all of them mean the built-in model.
constexpr std::string_view kRunnerModules =
    "llm_perf_opt.runners.llm_profile_runner|"
    "llm_perf_opt.runners.direct_inference_runner";

constexpr ConfigKey kWorkloadKeys[] = {
    {.path = "pipeline.workload.command", .kind = kArguments, .otherwise = "[]"},
    {.path = "pipeline.workload.module",
     .nullable = true,
     .choices = kRunnerModules,
     .otherwise = "null"},
    {.path = "pipeline.workload.cwd",
     .nullable = true,
     .otherwise = "${hydra:runtime.cwd}"},
    {.path = "pipeline.workload.env", .kind = kMapping, .otherwise = "{}"},
};

void CheckInference(pipeline::ConfigValues& values) {
  const Node* temperature = values.Find("infer.temperature");
  const bool is_zero =
      temperature != nullptr && config::PythonEqual(temperature->value, config::Value(0));
  if (values.IsTrue("infer.do_sample", false) && is_zero) {
    values.Fail("infer.temperature", "must be above 0 when infer.do_sample is true");
  }
  if (values.Text("infer.context_len_mode") == "fixed" &&
      !values.Int("infer.context_len_fixed")) {
    values.Fail("infer.context_len_fixed", "is required with context_len_mode=fixed");
  }
}

void CheckModel(pipeline::ConfigValues& values) {
  if (values.Find("model.create.preset") != nullptr && !values.Int("model.create.seed")) {
    values.Fail("model.create.seed", "is required with a preset");
  }
  const std::optional<int64_t> patch = values.Int("model.preprocess.patch_size");
  const std::optional<int64_t> ratio = values.Int("model.preprocess.downsample_ratio");
  if (!patch || !ratio) return;
  // 32-bit sides: larger ones are not images, and the product cannot overflow.
  constexpr int64_t kLargest = int64_t{1} << 31;
  if (*patch > kLargest || *ratio > kLargest) return;
  for (std::string_view key :
       {"model.preprocess.base_size", "model.preprocess.image_size"}) {
    const std::optional<int64_t> size = values.Int(key);
    if (!size || *size % (*patch * *ratio) == 0) continue;
    values.Fail(key,
                fmt::format("is {}, not a multiple of patch_size * downsample_ratio = {}",
                            *size, *patch * *ratio));
  }
}

void CheckWorkload(pipeline::ConfigValues& values) {
  const Node* command = values.Find("pipeline.workload.command");
  const bool has_command = command != nullptr && !command->items.empty();
  if (has_command && !values.Text("pipeline.workload.module").empty()) {
    values.Fail("pipeline.workload.module",
                "selects the built-in model, but pipeline.workload.command selects a "
                "program; set only one of them");
  }
}

}  // namespace

std::span<const pipeline::KeyGroup> KeyGroups() {
  static constexpr pipeline::KeyGroup kGroups[] = {
      {kDatasetKeys},
      {kModelKeys, CheckModel},
      {kInferenceKeys, CheckInference},
      {kOutputKeys},
      {kParityKeys},
      {kWorkloadKeys, CheckWorkload},
  };
  return kGroups;
}

}  // namespace ridgeline::workloads
