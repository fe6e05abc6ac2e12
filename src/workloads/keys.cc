#include "workloads/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "artifacts/run_dir.h"
#include "config/value/python_text.h"
#include "models/registry.h"
#include "pipeline/config_values.h"
#include "workloads/placed_config.h"
#include "workloads/rank_options.h"

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
    {.path = "dataset.on_error", .choices = "skip|fail", .otherwise = "skip"},
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
    {.path = "infer.max_new_tokens",
     .kind = kInteger,
     .required = true,
     .min = 1,
     .otherwise = "8192"},
    {.path = "infer.no_repeat_ngram_size", .kind = kInteger, .min = 0, .otherwise = "20"},
    {.path = "infer.do_sample", .kind = kBool, .otherwise = "false"},
    {.path = "infer.seed", .kind = kInteger, .min = 0, .otherwise = "0"},
    {.path = "infer.context_len_mode", .choices = "auto|max|fixed", .otherwise = "auto"},
    {.path = "infer.context_len_fixed", .kind = kInteger, .min = 1, .otherwise = "1024"},
    {.path = "infer.decoder_prompt",
     .otherwise = R"("<image>\n<|grounding|>Convert the document to markdown. ")"},
};

// Path of an output option that only some models have.
std::string ModelOutputKey(std::string_view key) {
  std::string names;
  for (const models::ModelEntry& model : models::AllModels()) {
    if (!model.has_output_options) continue;
    names += (names.empty() ? "" : "|") + std::string(model.name);
  }
  return fmt::format("pipeline.torch_profiler|direct_inference.output.extra.{}.{}", names,
                     key);
}

// Stages in which the model makes predictions have outputs. Keys below `extra` belong to
// models that may be unknown here.
std::span<const ConfigKey> OutputKeys() {
  static const std::string kStrip = ModelOutputKey("prediction.strip_special_tokens");
  static const std::string kImages = ModelOutputKey("visualization.max_images");
  static const std::string kWidth = ModelOutputKey("visualization.thumbnail_width");
  static const ConfigKey kKeys[] = {
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
      {.path = kStrip, .kind = kBool, .otherwise = "false"},
      {.path = kImages, .kind = kInteger, .nullable = true, .min = 0, .otherwise = "16"},
      {.path = kWidth, .kind = kInteger, .min = 1, .otherwise = "480"},
      {.path = "pipeline.torch_profiler|direct_inference.output.extra.*",
       .kind = kMapping},
  };
  return kKeys;
}

constexpr ConfigKey kParityKeys[] = {
    {.path = "parity.reference", .nullable = true, .otherwise = "null"},
    {.path = "parity.logits_tolerance", .kind = kNumber, .min = 0, .otherwise = "0.0001"},
};

// Names of the workload in earlier configurations; all of them mean the built-in model.
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
    {.path = "pipeline.workload.stdin", .nullable = true, .otherwise = "null"},
    {.path = "pipeline.workload.python.agent",
     .choices = "auto|always|never",
     .otherwise = "auto"},
    {.path = "pipeline.workload.python.regions", .kind = kMappingList, .otherwise = "[]"},
    {.path = "pipeline.workload.python.ranges.max_depth",
     .kind = kInteger,
     .nullable = true,
     .min = 0,
     .otherwise = "null"},
    {.path = "pipeline.workload.python.ranges.include",
     .kind = kTextList,
     .otherwise = "[]"},
    {.path = "pipeline.workload.python.ranges.exclude",
     .kind = kTextList,
     .otherwise = "[]"},
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

void CheckWeights(pipeline::ConfigValues& values) {
  const models::ModelEntry* const model = models::FindModel(values.Text("model.name"));
  if (model == nullptr) return;
  for (const models::FixedKey& fixed : model->fixed_keys) {
    const std::optional<int64_t> given = values.Int(fixed.key);
    if (!given || *given == fixed.value) continue;
    values.Fail(fixed.key, fmt::format("is {}, but the checkpoint has {}; it describes "
                                       "the weights and cannot be changed",
                                       *given, fixed.value));
  }
}

void CheckModel(pipeline::ConfigValues& values) {
  CheckWeights(values);
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

// Resolved save_dir of an output; empty: the output is disabled or has its default.
std::filesystem::path SavedTo(const pipeline::ConfigValues& values,
                              std::string_view stage, std::string_view output) {
  const std::string section = fmt::format("pipeline.{}.output.{}", stage, output);
  const std::filesystem::path path = values.Text(section + ".save_dir");
  const bool is_on = values.IsTrue(section + ".enable", false) &&
                     values.IsTrue(fmt::format("pipeline.{}.enable", stage), false);
  if (!is_on || path.empty()) return {};
  return path.is_absolute() ? WithoutSlash(path.lexically_normal())
                            : SaveDirInRun(stage, path);
}

// Why outputs cannot be written there; empty: they can. Relative paths are below the run
// directory.
std::string WhyNotSavedTo(const pipeline::ConfigValues& values, std::string_view stage,
                          const std::filesystem::path& path) {
  if (path.empty() || path.is_absolute()) return "";
  const std::string first = path.begin()->string();
  if (first == stage) return "";
  if (first == "..") {
    return "is outside of the run directory; use an absolute path for that";
  }
  if (first == ".") return "is the run directory itself; name a directory in it: ../x";
  const artifacts::RunDir run_dir{std::filesystem::path()};
  const std::vector<std::filesystem::path> own = run_dir.OwnFiles();
  const bool is_taken = first == run_dir.scratch() || first == run_dir.manifest() ||
                        std::find(own.begin(), own.end(), first) != own.end() ||
                        values.Find("pipeline." + first + ".enable") != nullptr;
  return is_taken ? fmt::format("is {} in the run directory, which the run itself writes",
                                path.string())
                  : "";
}

void CheckOutputs(pipeline::ConfigValues& values) {
  for (const std::string_view output : kOutputs) {
    std::map<std::filesystem::path, std::string_view> used;  // By stage.
    for (const std::string_view stage : kStagesWithOutput) {
      const std::filesystem::path path = SavedTo(values, stage, output);
      if (path.empty()) continue;
      std::string why = WhyNotSavedTo(values, stage, path);
      const auto [other, is_new] = used.emplace(path, stage);
      if (!is_new) {
        why = fmt::format("is also that of {}: one would overwrite the other",
                          other->second);
      }
      if (why.empty()) continue;
      values.Fail(fmt::format("pipeline.{}.output.{}.save_dir", stage, output), why);
    }
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
  static const pipeline::KeyGroup kGroups[] = {
      {kDatasetKeys},
      {kModelKeys, CheckModel},
      {kInferenceKeys, CheckInference},
      {OutputKeys(), CheckOutputs},
      {kParityKeys},
      {kWorkloadKeys, CheckWorkload},
      RankKeys(),
  };
  return kGroups;
}

}  // namespace ridgeline::workloads
