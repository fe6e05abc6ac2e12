// Every value of conf/ has an effect: another value changes the plan, a command, or what
// the built-in model reads of its configuration. Keys whose effect shows only while a
// stage runs are listed with it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/registry.h"
#include "config/compose/composer.h"
#include "config/compose/job.h"
#include "config/tree/assign.h"
#include "config/tree/build.h"
#include "config/tree/resolvers.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "config/value/yaml_load.h"
#include "inference/options.h"
#include "models/estimate.h"
#include "pipeline/adapt_tree.h"
#include "pipeline/config_schema.h"
#include "pipeline/run_plan.h"
#include "pipeline/testing/no_tools.h"
#include "workloads/model_config.h"
#include "workloads/placed_config.h"
#include "workloads/python_options.h"

namespace ridgeline {
namespace {

namespace fs = std::filesystem;
using config::Node;
using config::Value;
using pipeline::ConfigKey;
using pipeline::ValueKind;
using Overrides = std::vector<std::string>;

const std::string kConf = std::string(RIDGELINE_SOURCE_DIR) + "/conf";
constexpr const char* kHere = "/srv/app";

Overrides operator+(Overrides left, const Overrides& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// ---- What can be seen of a configuration without running anything

std::string Text(const std::optional<std::string>& text) { return text.value_or("null"); }
template <typename Number>
std::string Text(const std::optional<Number>& number) {
  return number ? fmt::format("{}", *number) : "null";
}

std::string Text(const datasets::DatasetOptions& o) {
  return fmt::format("{} {} {} {} {} {} {} {}", o.root.string(), Text(o.subset_filelist),
                     fmt::join(o.fallback_patterns, ","), static_cast<int>(o.on_error),
                     o.num_epochs, Text(o.num_samples_per_epoch), o.randomize,
                     Text(o.seed));
}

std::string Text(const inference::SessionOptions& o) {
  return fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {} {} {}", o.path.string(), o.dtype, o.device,
      o.fused_attention, Text(o.create_preset), o.create_seed, o.preprocess.enable,
      o.preprocess.base_size, o.preprocess.image_size, o.preprocess.crop_mode, o.prompt,
      o.no_repeat_ngram_size, Text(o.temperature), o.temperature ? o.seed : 0);
}

std::string Text(const predictions::OutputOptions& o) {
  return fmt::format("{} {} {} {} {} {} {}", o.prediction_enable,
                     o.prediction_dir.string(), o.visualization_enable,
                     o.visualization_dir.string(), o.strip_special_tokens,
                     Text(o.max_images), o.thumbnail_width);
}

std::string Text(const inference::ProfileOptions& o) {
  return fmt::format("{} {} {} {} {} {} {} {}", o.enabled, o.recorder.shapes,
                     o.recorder.memory, o.recorder.stacks, o.cpu, o.cuda,
                     o.group_by_input_shape, o.max_new_tokens);
}

std::string Text(const inference::Options& o) {
  return fmt::format("{}\n{}\n{} {} {} {}\n{}\n{}\n{}\n{} {} {}\n", o.model,
                     Text(o.session), o.max_new_tokens, o.repeats, o.warmup_rounds,
                     o.warmup_synthetic, Text(o.dataset), Text(o.output), Text(o.profile),
                     o.count_synthetic, o.parity_reference.value_or("null").string(),
                     o.parity_logits_tolerance);
}

std::string Text(const models::EstimateOptions& o) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n", o.model,
                     o.model_path.string(), Text(o.preset), o.device.dtype,
                     o.device.device, Text(o.device.ceilings.peak_tflops),
                     Text(o.device.ceilings.peak_gbps), o.preprocess.enable,
                     o.preprocess.base_size, o.preprocess.image_size,
                     o.preprocess.crop_mode, o.prompt, o.max_new_tokens,
                     static_cast<int>(o.context.mode), o.context.fixed,
                     o.use_synthetic_inputs, Text(o.dataset));
}

std::string Text(const pipeline::PlannedStage& stage) {
  std::string text = fmt::format("{} {} {} {}\n", stage.name, stage.enabled,
                                 Text(stage.timeout_s), stage.plan.skip);
  for (const pipeline::PlannedCommand& planned : stage.plan.commands) {
    text += fmt::format("{} {} in {}\n", planned.command.ToShellString(), planned.times,
                        planned.command.directory.string());
    for (const pipeline::RankCommand& rank : planned.ranks) {
      text += rank.command.ToShellString() + "\n";
    }
  }
  return text + fmt::format("{}\n{}\n", fmt::join(stage.plan.writes, " "),
                            fmt::join(stage.plan.assumptions, "\n"));
}

// What each task of the model reads of the file that it is given.
std::string ModelText(config::Workspace& workspace, Node& job) {
  using pipeline::WorkloadTask;
  struct Case {
    WorkloadTask given;
    inference::Task read;
  };
  const Case cases[] = {{WorkloadTask::kRun, inference::Task::kRun},
                        {WorkloadTask::kCapture, inference::Task::kRepresentative},
                        {WorkloadTask::kProfile, inference::Task::kProfile},
                        {WorkloadTask::kCount, inference::Task::kCount}};
  const auto config = workloads::ModelConfig(workspace, job, {});
  if (!config.ok()) return config::Describe(config.error());
  std::string text;
  for (const Case& c : cases) {
    const Value placed = workloads::PlacedConfig(
        config.value(), {.scratch = "/s", .output = "/o", .task = c.given});
    config::Workspace model{config::World{}};
    config::AddBuiltinResolvers(model);
    const auto root = config::CreateRoot(model, placed);
    EXPECT_TRUE(root.ok());
    const auto options = inference::ReadOptions(model, *root.value(), {kHere, c.read});
    text += options.ok() ? Text(options.value()) : config::Describe(options.error());
  }
  return text;
}

// What each task asks of the Python agent.
std::string AgentText(config::Workspace& workspace, Node& job) {
  using pipeline::WorkloadTask;
  const auto options = workloads::ReadPythonOptions(workspace, job);
  if (!options.ok()) return config::Describe(options.error());
  std::string text = fmt::format("{}\n", static_cast<int>(options.value().agent));
  for (const WorkloadTask task : {WorkloadTask::kRun, WorkloadTask::kCapture,
                                  WorkloadTask::kProfile, WorkloadTask::kCount}) {
    text += python::ToJson(workloads::RequestFor(
        options.value(), {.scratch = "/s", .output = "/o", .task = task}));
  }
  return text;
}

struct Seen {
  std::string errors;  // Then the plan is empty.
  std::string plan;
};

// One composition of conf/.
class Composed {
 public:
  explicit Composed(Overrides overrides)
      : result_(config::Compose(workspace_, Request(std::move(overrides)))) {
    if (!result_.ok()) return;
    const auto added =
        config::AddOverrides(workspace_, result_.value(), {"hydra.mode=RUN"});
    EXPECT_TRUE(added.ok());
    job_ = config::PrepareJob(workspace_, result_.value(), kHere);
  }

  std::string Error() const {
    if (!result_.ok()) return config::Describe(result_.error());
    return job_->ok() ? "" : config::Describe(job_->error());
  }
  const config::Job& job() const { return job_->value(); }
  Node& root() { return *job().config; }
  config::Workspace& workspace() { return workspace_; }

  // The same configuration with another value.
  Node& Changed(const std::string& path, const std::string& yaml) {
    Node& changed = workspace_.DeepCopy(root());
    const auto value = config::LoadYaml(yaml, path);
    EXPECT_TRUE(value.ok());
    EXPECT_TRUE(
        config::Update(workspace_, changed, path, value.value(), config::AddKeys::kForce)
            .ok());
    return changed;
  }

  Seen See(Node& node) {
    Seen seen;
    std::vector<config::Error> errors = app::CheckConfig(workspace_, node);
    pipeline::NoTools tools;
    auto plan =
        pipeline::PlanRun(workspace_, node, app::Stages(), app::WorkloadMaker(), tools);
    if (!plan.ok()) errors.insert(errors.end(), plan.error().begin(), plan.error().end());
    for (const config::Error& error : errors) seen.errors += config::Describe(error);
    if (!errors.empty()) return seen;
    pipeline::PlanStages(plan.value(), artifacts::RunDir(job().output_directory));
    seen.plan = fmt::format("{} {} {}\n", job().output_directory, plan.value().grace_s,
                            plan.value().workload->Describe());
    for (const auto& stage : plan.value().stages) seen.plan += Text(stage);
    const auto estimate = models::ReadOptions(workspace_, node, kHere);
    EXPECT_TRUE(estimate.ok());
    seen.plan += Text(estimate.value());
    seen.plan += AgentText(workspace_, node);
    return seen;
  }

 private:
  static config::ComposeRequest Request(Overrides overrides) {
    static const config::DiskFiles kFiles;
    return {.files = &kFiles,
            .config_path = kConf,
            .config_name = "config",
            .overrides = std::move(overrides),
            .working_directory = kHere};
  }

  // For hundreds of changed copies.
  config::Workspace workspace_{config::World{},
                               {.nodes = 10'000'000, .steps = 10'000'000}};
  config::Result<config::Composition> result_;
  std::optional<config::Result<config::Job>> job_;
};

// ---- The values of the files

struct Leaf {
  std::string path;
  Value value;  // Resolved.
};

void AddLeaves(Node& node, const Value& resolved, const std::string& path,
               const std::string& file, std::vector<Leaf>& leaves) {
  if (node.is_dict() && !node.special && !node.children.empty()) {
    for (const auto& [key, child] : node.children) {
      const std::string name = config::Str(Value(key));
      AddLeaves(*child, *resolved.dict().Find(key),
                path.empty() ? name : path + "." + name, file, leaves);
    }
    return;
  }
  const bool is_from_file = node.origin.known() && *node.origin.source == file;
  if (is_from_file) leaves.push_back({path, resolved});
}

std::vector<Leaf> LeavesOf(const std::string& file, const Overrides& overrides) {
  Composed composed(overrides);
  EXPECT_EQ(composed.Error(), "");
  const auto resolved = config::ToResolvedValue(composed.workspace(), composed.root());
  EXPECT_TRUE(resolved.ok());
  std::vector<Leaf> leaves;
  AddLeaves(composed.root(), resolved.value(), "", kConf + "/" + file, leaves);
  return leaves;
}

// The files of conf/, and what to choose to have their keys in the configuration.
const std::map<std::string, Overrides> kFiles = {
    {"config.yaml", {}},
    {"dataset/omnidocbench.yaml", {}},
    {"dataset/sampling/default.yaml", {}},
    {"dataset/sampling/random.yaml", {"dataset/sampling=random"}},
    {"model/deepseek_ocr/arch/deepseek_ocr.default.yaml", {}},
    {"model/deepseek_ocr/infer/deepseek_ocr.default.yaml", {}},
    {"model/deepseek_ocr/infer/deepseek_ocr.fast.yaml",
     {"model/deepseek_ocr/infer@infer=deepseek_ocr.fast"}},
    {"model/deepseek_ocr/output/direct/default.yaml", {}},
    {"model/deepseek_ocr/output/torch/default.yaml", {}},
    {"model/dummy_shallow_resnet/arch/dummy_shallow_resnet.default.yaml",
     {"+preset=resnet"}},
    {"output/direct/default.yaml", {}},
    {"output/torch/default.yaml", {}},
    {"preset/demo.yaml", {"+preset=demo"}},
    {"preset/python_demo.yaml", {"+preset=python_demo"}},
    {"preset/resnet.yaml", {"+preset=resnet"}},
    {"profiling/ncu/ncu.default.yaml", {}},
    {"profiling/ncu/ncu.high.yaml", {"profiling/ncu@pipeline.ncu=ncu.high"}},
    {"profiling/ncu/ncu.rtx3090.yaml", {"profiling/ncu@pipeline.ncu=ncu.rtx3090"}},
    {"profiling/ncu/ncu.rtx3090.compute.yaml",
     {"profiling/ncu@pipeline.ncu=ncu.rtx3090.compute"}},
    {"profiling/ncu/ncu.rtx3090.memory.yaml",
     {"profiling/ncu@pipeline.ncu=ncu.rtx3090.memory"}},
    {"profiling/nsys/nsys.default.yaml", {}},
    {"profiling/torch/torch-profiler.default.yaml", {}},
    {"profiling/torch/torch-profiler.max.yaml",
     {"profiling/torch@pipeline.torch_profiler=torch-profiler.max"}},
    {"profiling/torch/torch-profiler.min.yaml",
     {"profiling/torch@pipeline.torch_profiler=torch-profiler.min"}},
    {"workload/python/default.yaml", {}},
    {"workload/python/sglang.yaml", {"workload/python=sglang"}},
    {"workload/python/transformers.yaml", {"workload/python=transformers"}},
    {"workload/python/vllm.yaml", {"workload/python=vllm"}},
    {"hydra/launcher/local.yaml", {}},  // Of sweeps: Sweep in tests/run.
    {"hydra/launcher/slurm.yaml", {}},  // launchers, tests/slurm.
    {"hydra/launcher/submitit_slurm.yaml", {}},
    {"hydra/launcher/submitit_local.yaml", {}},
};

// ---- Another value

// Where adding one, or the first other choice, is not allowed or changes nothing.
const std::map<std::string, std::string> kOtherValues = {
    {"device", "cuda:1"},
    {"run.device", "cuda:1"},
    {"model.preprocess.base_size", "512"},
    {"model.preprocess.image_size", "512"},
    {"pipeline.nsys.capture_range", "cudaProfilerApi"},
    {"pipeline.nsys.capture_range_end", "repeat:2"},
    {"pipeline.ncu.plan.share", "0.5"},
    {"infer.temperature", "0.5"},
    {"pipeline.torch_profiler.activities", "[cuda]"},
    {"pipeline.workload.ranks.profile", "1"},
};

std::string OtherChoice(const ConfigKey& key, const Value& value) {
  for (const std::string& choice : pipeline::SplitChoices(key.choices)) {
    if (!value.is_string() || value.string() != choice) return choice;
  }
  return "other";
}

std::string OtherNumber(const Value& value) {
  if (value.is_null()) return "7";
  return value.is_int() ? std::to_string(std::stoll(config::Str(value)) + 1)
                        : fmt::format("{}", std::stod(config::Str(value)) * 2 + 1);
}

// As YAML.
std::string OtherValue(const ConfigKey& key, const Leaf& leaf) {
  const auto special = kOtherValues.find(leaf.path);
  if (special != kOtherValues.end()) return special->second;
  switch (key.kind) {
    case ValueKind::kBool:
      return config::PythonEqual(leaf.value, Value(true)) ? "false" : "true";
    case ValueKind::kInteger:
    case ValueKind::kNumber:
      return OtherNumber(leaf.value);
    case ValueKind::kText:
      return OtherChoice(key, leaf.value);
    case ValueKind::kTextList:
    case ValueKind::kTextOrList:
    case ValueKind::kArguments:
      return "[" + OtherChoice(key, leaf.value) + "]";
    case ValueKind::kMapping:
      return "{other: 1}";
    case ValueKind::kMappingList:
      return "[{target: 'other:f', name: other}]";
  }
  return "";
}

// ---- The comparison

const Overrides kAllStages = {"pipeline.static_analysis.enable=true",
                              "pipeline.torch_profiler.enable=true",
                              "pipeline.direct_inference.enable=true",
                              "pipeline.nsys.enable=true", "pipeline.ncu.enable=true"};

// Some keys matter only beside others.
const Overrides kContexts[] = {
    kAllStages,
    {},
    kAllStages + Overrides{"pipeline.nsys.capture_range=nvtx"},
    kAllStages + Overrides{"infer.temperature=1"},
    kAllStages + Overrides{"infer.temperature=1", "infer.do_sample=true"},
    kAllStages + Overrides{"infer.context_len_mode=fixed"},
    kAllStages + Overrides{"pipeline.torch_profiler.record_shapes=true"},
    kAllStages + Overrides{"pipeline.torch_profiler.group_by_input_shape=false"},
    kAllStages + Overrides{"pipeline.workload.command=[/bin/true]"},
    {"pipeline.nsys.enable=true", "pipeline.workload.command=[/bin/true]",
     "pipeline.workload.ranks.count=2", "pipeline.workload.ranks.launcher=srun"},
};

// Other values of these are errors, which say why.
const std::set<std::string> kRefusedKeys = {
    "artifacts.runs_dir",                 // Must be equal to hydra.run.dir.
    "model.preprocess.downsample_ratio",  // Belongs to the weights.
    "model.preprocess.patch_size",        // Belongs to the weights.
    "run.device",                         // Must be equal to `device`.
};

// Where another value shows instead.
const std::map<std::string, std::string> kSeenElsewhere = {
    {"dataset.name", "the reports list the configuration"},
    {"experiment", "the reports list the configuration"},
    {"pipeline.ncu.description", "text for people; --cfg job shows it"},
    {"pipeline.ncu.ncu_cli.kernel_exclude", "kernels.yaml; NcuSelectionTest"},
    {"pipeline.ncu.plan.budget_s", "kernels.yaml; NcuSelectionTest"},
    {"pipeline.ncu.plan.share", "kernels.yaml; NcuSelectionTest"},
    {"pipeline.nsys.redact_env", "run.sqlite; NsysRun.KeepsTheEnvironmentIfAsked"},
    {"pipeline.static_analysis.use_analytic_fallback",
     "whether a failed FLOP check fails the stage; StaticAnalysis"},
    {"pipeline.workload.module", "earlier names of the built-in model, all the same"},
    {"run.join", "whether a finished run gets more stages; JoinedRuns"},
    {"run.on_skip", "the exit code; JoinedRuns"},
    {"run.sweep_metrics", "the report of a sweep; SweepReportsTest"},
    {"user", "the user's own; saved with the run"},
};

enum class Effect { kNone, kSeen, kRefused };

class Comparison {
 public:
  // Tries the contexts until the change shows in one of them.
  Effect EffectOf(const Leaf& leaf, const ConfigKey& key, const Overrides& choice) {
    const std::string other = OtherValue(key, leaf);
    // Beginning with the one that the last file with this key needed.
    size_t& first = context_of_[leaf.path];
    Effect effect = Effect::kNone;
    for (size_t i = 0; i < std::size(kContexts); ++i) {
      const size_t context = (first + i) % std::size(kContexts);
      const Effect here =
          EffectIn(ContextOf(choice + kContexts[context]), leaf.path, other);
      if (here == Effect::kSeen) {
        first = context;
        return here;
      }
      if (effect == Effect::kNone) effect = here;
      if (kSeenElsewhere.contains(leaf.path)) break;
    }
    return effect;
  }

 private:
  struct Context {
    explicit Context(const Overrides& overrides) : composed(overrides) {
      EXPECT_EQ(composed.Error(), "");
      const Seen seen = composed.See(composed.root());
      EXPECT_EQ(seen.errors, "");
      plan = seen.plan;
      model = ModelText(composed.workspace(), composed.root());
    }

    Composed composed;
    std::string plan;
    std::string model;
  };

  Context& ContextOf(const Overrides& overrides) {
    std::unique_ptr<Context>& context = contexts_[overrides];
    if (context == nullptr) context = std::make_unique<Context>(overrides);
    return *context;
  }

  static Effect EffectIn(Context& context, const std::string& path,
                         const std::string& other) {
    Node& changed = context.composed.Changed(path, other);
    const Seen after = context.composed.See(changed);
    if (!after.errors.empty()) return Effect::kRefused;
    const bool differs =
        context.plan != after.plan ||
        context.model != ModelText(context.composed.workspace(), changed);
    return differs ? Effect::kSeen : Effect::kNone;
  }

  std::map<Overrides, std::unique_ptr<Context>> contexts_;
  std::map<std::string, size_t> context_of_;
};

TEST(ConfEffect, EveryFileIsLookedAt) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(kConf)) {
    if (entry.path().extension() != ".yaml") continue;
    files.insert(fs::relative(entry.path(), kConf).string());
  }
  std::set<std::string> listed;
  for (const auto& [file, choice] : kFiles) listed.insert(file);
  EXPECT_EQ(listed, files);
}

TEST(ConfEffect, EveryValueHasAnEffectOrAReason) {
  const std::vector<pipeline::KeyGroup> groups = app::KeyGroups();
  Comparison comparison;
  std::set<std::string> without;
  std::set<std::string> refused;
  for (const auto& [file, choice] : kFiles) {
    for (const Leaf& leaf : LeavesOf(file, choice)) {
      SCOPED_TRACE(file + " " + leaf.path);
      const ConfigKey* const key = pipeline::FindKey(groups, leaf.path);
      ASSERT_NE(key, nullptr);
      const Effect effect = comparison.EffectOf(leaf, *key, choice);
      if (effect == Effect::kNone) without.insert(leaf.path);
      if (effect == Effect::kRefused) refused.insert(leaf.path);
    }
  }
  std::set<std::string> listed;
  for (const auto& [path, where] : kSeenElsewhere) listed.insert(path);
  EXPECT_EQ(without, listed);
  EXPECT_EQ(refused, kRefusedKeys);
}

TEST(ConfEffect, HydraKeysHaveAnEffect) {
  const Composed plain({});
  ASSERT_EQ(plain.Error(), "");
  EXPECT_EQ(plain.job().working_directory, plain.job().output_directory);
  EXPECT_TRUE(plain.job().files.empty());
  EXPECT_EQ(Composed({"hydra.run.dir=/x"}).job().output_directory, "/x");
  EXPECT_EQ(Composed({"hydra.job.chdir=false"}).job().working_directory, kHere);
  EXPECT_TRUE(Composed({"hydra.output_subdir=.hydra"})
                  .job()
                  .files.contains(".hydra/config.yaml"));
}

}  // namespace
}  // namespace ridgeline
