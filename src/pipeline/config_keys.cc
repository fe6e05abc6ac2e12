#include "pipeline/config_keys.h"

#include <fmt/format.h>

namespace ridgeline::pipeline {
namespace {

using enum ValueKind;

// What nsys 2022 to 2025 trace; a newer source can be given in extra_args.
constexpr std::string_view kTraceSources =
    "cuda|cuda-hw|cuda-sw|nvtx|osrt|cublas|cublas-verbose|cudnn|cudla|cudla-verbose|"
    "cusparse|cusparse-verbose|cusolver|cusolver-verbose|mpi|ucx|oshmem|openacc|openmp|"
    "opengl|opengl-annotations|vulkan|vulkan-annotations|nvvideo|python-gil|gds|syscall|"
    "none";

// What earlier configurations call the workload; all of them mean the built-in model.
constexpr std::string_view kRunnerModules =
    "llm_perf_opt.runners.llm_profile_runner|"
    "llm_perf_opt.runners.direct_inference_runner";

constexpr ConfigKey kKeys[] = {
    {.path = "dataset.name"},
    {.path = "dataset.root", .required = true},
    {.path = "dataset.subset_filelist", .nullable = true},
    {.path = "dataset.fallback_patterns", .kind = kTextList},
    {.path = "dataset.sampling.num_samples_per_epoch",
     .kind = kInteger,
     .nullable = true,
     .min = 1},
    {.path = "dataset.sampling.num_epochs", .kind = kInteger, .min = 1},
    {.path = "dataset.sampling.randomize", .kind = kBool},
    {.path = "dataset.sampling.seed", .kind = kInteger, .nullable = true, .min = 0},

    {.path = "model.name", .required = true},
    {.path = "model.path", .nullable = true, .required = true},
    {.path = "model.dtype",
     .form = TextForm::kOneOf,
     .choices = "bf16|fp16|fp32|bfloat16|float16|float32"},
    {.path = "model.create.preset",
     .nullable = true,
     .form = TextForm::kOneOf,
     .choices = "tiny|small|full"},
    {.path = "model.create.seed", .kind = kInteger, .min = 0},
    {.path = "model.preprocess.enable", .kind = kBool},
    {.path = "model.preprocess.base_size", .kind = kInteger, .min = 1},
    {.path = "model.preprocess.image_size", .kind = kInteger, .min = 1},
    {.path = "model.preprocess.crop_mode", .kind = kBool},
    {.path = "model.preprocess.patch_size", .kind = kInteger, .min = 1},
    {.path = "model.preprocess.downsample_ratio", .kind = kInteger, .min = 1},

    {.path = "infer.temperature", .kind = kNumber, .min = 0},
    {.path = "infer.max_new_tokens", .kind = kInteger, .required = true, .min = 1},
    {.path = "infer.no_repeat_ngram_size", .kind = kInteger, .min = 0},
    {.path = "infer.do_sample", .kind = kBool},
    {.path = "infer.seed", .kind = kInteger, .min = 0},
    {.path = "infer.context_len_mode",
     .form = TextForm::kOneOf,
     .choices = "auto|max|fixed"},
    {.path = "infer.context_len_fixed", .kind = kInteger, .min = 1},
    {.path = "infer.decoder_prompt"},

    {.path = "pipeline.torch_profiler.enabled", .kind = kBool},
    {.path = "pipeline.torch_profiler.activities",
     .kind = kTextList,
     .form = TextForm::kOneOf,
     .choices = "cpu|cuda"},
    {.path = "pipeline.torch_profiler.record_shapes", .kind = kBool},
    {.path = "pipeline.torch_profiler.profile_memory", .kind = kBool},
    {.path = "pipeline.torch_profiler.with_stack", .kind = kBool},
    {.path = "pipeline.torch_profiler.group_by_input_shape", .kind = kBool},
    {.path = "pipeline.torch_profiler.warmup_rounds", .kind = kInteger, .min = 0},
    {.path = "pipeline.torch_profiler.warmup_synthetic", .kind = kBool},
    {.path = "pipeline.*.output.prediction.enable", .kind = kBool},
    {.path = "pipeline.*.output.prediction.save_dir", .nullable = true},
    {.path = "pipeline.*.output.visualization.enable", .kind = kBool},
    {.path = "pipeline.*.output.visualization.save_dir", .nullable = true},
    {.path = "pipeline.*.output.extra.deepseek_ocr.prediction.strip_special_tokens",
     .kind = kBool},
    {.path = "pipeline.*.output.extra.deepseek_ocr.visualization.max_images",
     .kind = kInteger,
     .nullable = true,
     .min = 0},
    {.path = "pipeline.*.output.extra.deepseek_ocr.visualization.thumbnail_width",
     .kind = kInteger,
     .min = 1},
    {.path = "pipeline.*.output.extra.*", .kind = kMapping},
    {.path = "pipeline.torch_profiler.enable", .kind = kBool},
    {.path = "pipeline.torch_profiler.timeout_s",
     .kind = kNumber,
     .nullable = true,
     .above = 0},

    {.path = "pipeline.direct_inference.enable", .kind = kBool},
    {.path = "pipeline.direct_inference.timeout_s",
     .kind = kNumber,
     .nullable = true,
     .above = 0},

    {.path = "pipeline.nsys.trace",
     .kind = kTextOrList,
     .form = TextForm::kOneOf,
     .choices = kTraceSources},
    {.path = "pipeline.nsys.sample",
     .form = TextForm::kOneOf,
     .choices = "none|cpu|process-tree|system-wide"},
    {.path = "pipeline.nsys.cpuctxsw",
     .form = TextForm::kOneOf,
     .choices = "none|process-tree|system-wide"},
    {.path = "pipeline.nsys.capture_range",
     .form = TextForm::kOneOf,
     .choices = "none|nvtx|cudaProfilerApi|hotkey"},
    {.path = "pipeline.nsys.capture_range_end",
     .nullable = true,
     .form = TextForm::kRangeEnd},
    {.path = "pipeline.nsys.nvtx_capture", .kind = kTextOrList, .nullable = true},
    {.path = "pipeline.nsys.nvtx_domain_include", .kind = kTextOrList, .nullable = true},
    {.path = "pipeline.nsys.nvtx_domain_exclude", .kind = kTextOrList, .nullable = true},
    {.path = "pipeline.nsys.cuda_graph_trace",
     .nullable = true,
     .form = TextForm::kOneOf,
     .choices = "graph|node"},
    {.path = "pipeline.nsys.gpu_metrics", .kind = kTextOrList, .nullable = true},
    {.path = "pipeline.nsys.force_overwrite", .kind = kBool},
    {.path = "pipeline.nsys.extra_args", .kind = kArguments},
    {.path = "pipeline.nsys.enable", .kind = kBool},
    {.path = "pipeline.nsys.gating_nvtx", .kind = kBool},
    {.path = "pipeline.nsys.nvtx_dry_run", .kind = kBool},
    {.path = "pipeline.nsys.redact_env", .kind = kBool},
    {.path = "pipeline.nsys.timeout_s", .kind = kNumber, .nullable = true, .above = 0},

    {.path = "pipeline.ncu.description"},
    {.path = "pipeline.ncu.kernel_config", .nullable = true},
    {.path = "pipeline.ncu.plan.share", .kind = kNumber, .above = 0},
    {.path = "pipeline.ncu.plan.budget_s", .kind = kNumber, .nullable = true, .above = 0},
    {.path = "pipeline.ncu.ncu_cli.target_processes",
     .form = TextForm::kOneOf,
     .choices = "all|application-only"},
    {.path = "pipeline.ncu.ncu_cli.replay_mode",
     .form = TextForm::kOneOf,
     .choices = "kernel|application|range|app-range"},
    {.path = "pipeline.ncu.ncu_cli.nvtx.include", .kind = kTextOrList, .nullable = true},
    {.path = "pipeline.ncu.ncu_cli.set", .nullable = true},
    {.path = "pipeline.ncu.ncu_cli.sections", .kind = kTextList, .nullable = true},
    {.path = "pipeline.ncu.ncu_cli.metrics", .kind = kTextOrList, .nullable = true},
    {.path = "pipeline.ncu.ncu_cli.kernel_name", .nullable = true},
    {.path = "pipeline.ncu.ncu_cli.kernel_name_base",
     .form = TextForm::kOneOf,
     .choices = "function|demangled|mangled"},
    {.path = "pipeline.ncu.ncu_cli.kernel_exclude", .kind = kTextList, .nullable = true},
    {.path = "pipeline.ncu.ncu_cli.launch_skip",
     .kind = kInteger,
     .nullable = true,
     .min = 0},
    {.path = "pipeline.ncu.ncu_cli.launch_count",
     .kind = kInteger,
     .nullable = true,
     .min = 1},
    {.path = "pipeline.ncu.ncu_cli.clock_control",
     .nullable = true,
     .form = TextForm::kOneOf,
     .choices = "base|none"},
    {.path = "pipeline.ncu.ncu_cli.cache_control",
     .nullable = true,
     .form = TextForm::kOneOf,
     .choices = "all|none"},
    {.path = "pipeline.ncu.ncu_cli.export.csv", .kind = kBool},
    {.path = "pipeline.ncu.ncu_cli.force_overwrite", .kind = kBool},
    {.path = "pipeline.ncu.ncu_cli.extra_args", .kind = kArguments},
    {.path = "pipeline.ncu.enable", .kind = kBool},
    {.path = "pipeline.ncu.gating_nvtx", .kind = kBool},
    {.path = "pipeline.ncu.timeout_s", .kind = kNumber, .nullable = true, .above = 0},

    {.path = "pipeline.workload.command", .kind = kArguments},
    {.path = "pipeline.workload.module",
     .nullable = true,
     .form = TextForm::kOneOf,
     .choices = kRunnerModules},
    {.path = "pipeline.workload.cwd", .nullable = true},
    {.path = "pipeline.workload.env", .kind = kMapping},

    {.path = "pipeline.static_analysis.enable", .kind = kBool},
    {.path = "pipeline.static_analysis.write_reports", .kind = kBool},
    {.path = "pipeline.static_analysis.use_analytic_fallback", .kind = kBool},
    {.path = "pipeline.static_analysis.count_operators", .kind = kBool},
    {.path = "pipeline.static_analysis.use_synthetic_inputs", .kind = kBool},
    {.path = "pipeline.static_analysis.timeout_s",
     .kind = kNumber,
     .nullable = true,
     .above = 0},

    {.path = "experiment", .nullable = true},
    {.path = "device", .required = true, .form = TextForm::kDevice},
    {.path = "use_flash_attn", .kind = kBool},

    {.path = "run.mode", .form = TextForm::kOneOf, .choices = "deep|light"},
    {.path = "run.device", .form = TextForm::kDevice},
    {.path = "run.repeats", .kind = kInteger, .min = 1},
    {.path = "run.dataset_subset_filelist", .nullable = true},
    {.path = "run.top_n_kernels", .kind = kInteger, .min = 1},
    {.path = "run.representative_max_new_tokens",
     .kind = kInteger,
     .nullable = true,
     .min = 1},

    {.path = "run.grace_s", .kind = kNumber, .min = 0},

    {.path = "artifacts.runs_dir"},

    {.path = "parity.reference", .nullable = true},
    {.path = "parity.logits_tolerance", .kind = kNumber, .min = 0},

    {.path = "hardware.peak_tflops", .kind = kNumber, .nullable = true, .above = 0},
    {.path = "hardware.peak_gbps", .kind = kNumber, .nullable = true, .above = 0},

    {.path = "user", .kind = kMapping},
};

std::string ChoiceList(std::string_view choices) {
  return fmt::format("{}", fmt::join(SplitChoices(choices), ", "));
}

std::string ExpectedText(const ConfigKey& key) {
  switch (key.form) {
    case TextForm::kAny:
      return "text";
    case TextForm::kOneOf:
      return "one of " + ChoiceList(key.choices);
    case TextForm::kDevice:
      return "cpu, cuda, cuda:N or auto";
    case TextForm::kRangeEnd:
      return "none, stop, stop-shutdown, repeat[:N] or repeat-shutdown:N";
  }
  return "";
}

std::string ExpectedKind(const ConfigKey& key) {
  const std::string of =
      key.form == TextForm::kOneOf ? " of " + ChoiceList(key.choices) : "";
  switch (key.kind) {
    case kBool:
      return "true or false";
    case kInteger:
      return "an integer";
    case kNumber:
      return "a number";
    case kText:
      return ExpectedText(key);
    case kTextList:
      return of.empty() ? "a list of strings" : "a list" + of;
    case kTextOrList:
      return "a list" + (of.empty() ? " of strings" : of) +
             " or a comma-separated string";
    case kArguments:
      return "a list of strings and numbers";
    case kMapping:
      return "a mapping";
  }
  return "";
}

}  // namespace

std::span<const ConfigKey> ConfigKeys() { return kKeys; }

std::string Expected(const ConfigKey& key) {
  std::string text = ExpectedKind(key);
  if (key.min) text += fmt::format(" >= {}", *key.min);
  if (key.above) text += fmt::format(" > {}", *key.above);
  if (key.nullable) text += " or null";
  return text;
}

std::vector<std::string> SplitChoices(std::string_view choices) {
  std::vector<std::string> words;
  while (!choices.empty()) {
    const size_t end = std::min(choices.find('|'), choices.size());
    words.emplace_back(choices.substr(0, end));
    choices.remove_prefix(std::min(end + 1, choices.size()));
  }
  return words;
}

}  // namespace ridgeline::pipeline
