#include "stages/shared/python_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/units.h"
#include "os/files.h"
#include "pipeline/plan_workload.h"
#include "profiles/formats.h"
#include "report/sections/model_summary.h"
#include "stages/shared/python_run.h"

namespace ridgeline::stages {
namespace {

namespace fs = std::filesystem;
using pipeline::WorkloadTask;
using profiles::ModelSummary;
using python::Process;
using SortedJson = nlohmann::json;

// Size of a value of this type; 0: not a type of weights.
int64_t BytesOf(std::string_view dtype) {
  if (dtype.starts_with("torch.")) dtype.remove_prefix(6);
  if (dtype == "float32") return 4;
  if (dtype == "float16" || dtype == "bfloat16") return 2;
  if (dtype == "float8_e4m3fn" || dtype == "float8_e5m2" || dtype == "int8") return 1;
  return 0;
}

// The first of these members that is a positive integer.
std::optional<int64_t> FirstOf(const SortedJson& config,
                               std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const auto value = MemberIn<int64_t>(config, key);
    if (value && *value > 0) return value;
  }
  return std::nullopt;
}

// In a multimodal model, the dimensions of the language model are in a nested config.
SortedJson TextConfig(const SortedJson& config) {
  for (const char* key : {"text_config", "llm_config", "language_config"}) {
    const auto found = config.find(key);
    if (found != config.end() && found->is_object()) return *found;
  }
  return config;
}

std::string DtypeOf(const SortedJson& config) {
  for (const char* key : {"dtype", "torch_dtype"}) {
    if (const auto text = MemberIn<std::string>(config, key)) return *text;
  }
  return "";
}

std::string TopLevel(const std::string& path) { return path.substr(0, path.find('.')); }

// "model.layers.3.mlp" -> "model.layers.3": elements of a list of layers are separate.
std::string LayerOf(const std::string& path) {
  size_t end = 0;
  while (end < path.size()) {
    const size_t begin = end;
    end = std::min(path.find('.', begin), path.size());
    const std::string_view part = std::string_view(path).substr(begin, end - begin);
    if (part.find_first_not_of("0123456789") == part.npos) return path.substr(0, end);
    if (end < path.size()) ++end;
  }
  return TopLevel(path);
}

void AddTensors(const python::Model& model, ModelSummary& summary) {
  std::map<std::pair<std::string, std::string>, profiles::WeightsRow> rows;
  std::vector<std::string> order;
  std::map<std::string, int64_t> parameters;  // By layer.
  for (const python::Tensor& tensor : model.tensors) {
    if (tensor.kind == "buffer") {
      if (tensor.tied_to.empty()) summary.buffers_bytes += tensor.bytes;
      continue;
    }
    const std::string layer = LayerOf(tensor.name);
    if (!parameters.contains(layer)) order.push_back(layer);
    // A layer that shares the parameters of another one still computes.
    parameters[layer] += tensor.tied_to.empty() ? tensor.numel : 0;
    if (!tensor.tied_to.empty()) {
      summary.parameters_tied += tensor.numel;
      continue;
    }
    summary.parameters += tensor.numel;
    summary.weights_bytes += tensor.bytes;
    profiles::WeightsRow& row = rows[{tensor.dtype, tensor.device}];
    row.dtype = tensor.dtype;
    row.device = tensor.device;
    ++row.tensors;
    row.numel += tensor.numel;
    row.bytes += tensor.bytes;
  }
  for (const auto& [key, row] : rows) summary.weights.push_back(row);
  for (const std::string& layer : order) {
    summary.layers.push_back({layer, parameters[layer], {}});
  }
}

// Splits "generate/prefill/model.layers.0/..." into components. A "/" in a name is
// escaped with "\".
std::vector<std::string> PartsOf(std::string_view path) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '\\' && i + 1 < path.size()) {
      parts.back() += path[++i];
    } else if (path[i] == '/') {
      parts.emplace_back();
    } else {
      parts.back() += path[i];
    }
  }
  return parts;
}

// Adds the FLOPs of the call, if there is a trace.
Status CountCall(std::span<const Process> processes, pipeline::StageContext& context,
                 ModelSummary& summary) {
  const Process* const process = TracedProcess(processes, CallsOf(processes));
  const python::Call* const call = process == nullptr ? nullptr : ProfiledCall(*process);
  if (call == nullptr) {
    context.Note("FLOPs were not counted: no call was profiled");
    return Ok();
  }
  const fs::path path =
      context.place().directory / pipeline::kAgentFolder / process->trace->file;
  if (call->error.empty()) {
    RIDGELINE_TRY(const profiles::Profile trace,
                  profiles::OpenProfile(path, {}, {profiles::Tool::kPyTorch}));
    const auto& rows = std::get<results::TraceRows>(trace.rows);
    AddCall(*call, analysis::FindingsOf(rows), rows.names, summary);
  } else {
    context.Note(
        fmt::format("FLOPs were not counted: call {} of {} raised {}, and no "
                    "other call was profiled",
                    call->index, call->name, call->error));
  }
  if (context.ranks().ranks.empty()) return context.owned().Remove(path);
  for (const Process& rank : processes) {
    if (!rank.trace) continue;
    RIDGELINE_RETURN_IF_ERROR(context.owned().Remove(
        context.place().directory / pipeline::kAgentFolder / rank.trace->file));
  }
  return Ok();
}

std::string SummaryText(const ModelSummary& summary) {
  const auto count = [](int64_t value) { return Count(static_cast<uint64_t>(value)); };
  std::string text = fmt::format("{}: {} parameters, weights {}", summary.model,
                                 units::Parameters(count(summary.parameters)),
                                 units::Bytes(count(summary.weights_bytes)));
  if (summary.kv_cache_bytes_per_token) {
    text += fmt::format(", KV cache {}/token",
                        units::Bytes(count(*summary.kv_cache_bytes_per_token)));
  }
  if (summary.flops) {
    text += fmt::format(", {}{}/call", summary.uncounted.empty() ? "" : "at least ",
                        units::Flops(count(*summary.flops)));
  }
  return text;
}

Result<pipeline::StageOutcome> Describe(pipeline::StageContext& context) {
  const pipeline::WorkloadPlace place = context.place().ForOutput(WorkloadTask::kCount);
  const pipeline::PlannedCommand& command = context.plan().commands.front();
  RIDGELINE_RETURN_IF_ERROR(context.PrepareWorkload(place));
  RIDGELINE_TRY(const os::ProcessResult ran, context.Run(command));
  RIDGELINE_RETURN_IF_ERROR(context.CheckEnd(command, ran));
  RIDGELINE_TRY(const std::vector<Process> processes, ReadPythonRun(place.output));
  NotePython(processes, context);
  std::optional<ModelSummary> summary = SummaryOf(processes);
  if (!summary) {
    const auto why = WhyNotObserved(processes);
    return SkipNotObserved(
        why.value_or(NotObserved{"NoCalls", "no nn.Module with parameters was called"}),
        context);
  }
  RIDGELINE_RETURN_IF_ERROR(CountCall(processes, context, *summary));
  RIDGELINE_RETURN_IF_ERROR(
      context.Write(profiles::kModelSummaryFile, profiles::ToJson(*summary)));
  RIDGELINE_RETURN_IF_ERROR(context.Write(report::kModelSummaryMarkdown,
                                          report::ModelSummaryMarkdown(*summary)));
  return pipeline::StageOutcome(pipeline::Done{SummaryText(*summary)});
}

}  // namespace

KvCache KvCacheOf(std::string_view config_json, std::string_view weights_dtype) {
  const SortedJson whole = ParseJson<SortedJson>(config_json);
  if (!whole.is_object()) return {{}, "the model has no Hugging Face config"};
  const SortedJson config = TextConfig(whole);
  const auto layers = FirstOf(config, {"num_hidden_layers", "n_layer", "num_layers"});
  const auto heads = FirstOf(config, {"num_attention_heads", "n_head", "num_heads"});
  const auto hidden = FirstOf(config, {"hidden_size", "n_embd", "d_model"});
  std::string dtype = DtypeOf(config);
  if (dtype.empty()) dtype = DtypeOf(whole);
  if (dtype.empty()) dtype = weights_dtype;
  const int64_t value_bytes = BytesOf(dtype);
  if (!layers || !heads || !hidden) {
    return {{}, "the config has no layers, heads or hidden size"};
  }
  if (value_bytes == 0) return {{}, "no dtype of 1, 2 or 4 bytes"};
  if (const auto rank = FirstOf(config, {"kv_lora_rank"})) {
    const int64_t rope = FirstOf(config, {"qk_rope_head_dim"}).value_or(0);
    return {*layers * (*rank + rope) * value_bytes,
            fmt::format("{} layers x ({} + {}) latent values x {} bytes ({})", *layers,
                        *rank, rope, value_bytes, dtype)};
  }
  const int64_t kv_heads =
      FirstOf(config, {"num_key_value_heads", "num_kv_heads", "multi_query_group_num"})
          .value_or(*heads);
  const int64_t head_dim = FirstOf(config, {"head_dim"}).value_or(*hidden / *heads);
  return {2 * *layers * kv_heads * head_dim * value_bytes,
          fmt::format("2 x {} layers x {} heads x {} x {} bytes ({})", *layers, kv_heads,
                      head_dim, value_bytes, dtype)};
}

std::optional<ModelSummary> SummaryOf(std::span<const Process> processes) {
  const python::Model* largest = nullptr;
  std::optional<ModelSummary> best;
  for (const Process& process : processes) {
    for (const python::Model& model : process.models) {
      ModelSummary summary;
      AddTensors(model, summary);
      if (best && summary.parameters <= best->parameters) continue;
      summary.torch = process.torch;
      best = std::move(summary);
      largest = &model;
    }
  }
  if (!best) return best;
  best->model = largest->class_name;
  best->modules = std::ssize(largest->modules);
  best->config_json = largest->config_json;
  const auto most =
      std::max_element(best->weights.begin(), best->weights.end(),
                       [](const auto& a, const auto& b) { return a.numel < b.numel; });
  KvCache cache =
      KvCacheOf(largest->config_json, most == best->weights.end() ? "" : most->dtype);
  best->kv_cache_bytes_per_token = cache.bytes_per_token;
  best->kv_cache_basis = std::move(cache.basis);
  return best;
}

void AddCall(const python::Call& call, const analysis::TraceFindings& findings,
             const StringPool& names, ModelSummary& summary) {
  summary.call = call.name;
  summary.prompt_tokens = call.prompt_tokens;
  summary.generated_tokens = call.generated_tokens;
  std::map<std::string, int64_t> by_layer;
  for (const results::RegionTotal& region : findings.regions) {
    if (!region.work || !region.work->flops) continue;
    const std::vector<std::string> parts = PartsOf(region.path);
    // The outermost annotation is the call itself.
    if (parts.size() == 1 && region.kind == "annotation" && parts[0] == call.kind) {
      summary.flops = *region.work->flops;
    }
    if (parts.size() == 2 && (parts[1] == "prefill" || parts[1] == "decode")) {
      summary.phases.push_back({parts[1], {}, *region.work->flops});
    }
    by_layer[LayerOf(parts.back())] += region.work->flops_exclusive.value_or(0);
  }
  for (profiles::CountedPart& layer : summary.layers) {
    const auto found = by_layer.find(layer.name);
    if (found != by_layer.end()) layer.flops = found->second;
  }
  for (const results::UncountedOperator& op : findings.uncounted) {
    summary.uncounted.push_back(
        {std::string(names.text(op.name)), op.calls, op.time_share});
  }
}

pipeline::StagePlan PlanPythonModel(const pipeline::StagePlace& place) {
  pipeline::StagePlan plan;
  plan.commands.push_back(
      pipeline::PlanWorkload(place, place.ForOutput(WorkloadTask::kCount),
                             {.purpose = "model description and FLOP count",
                              .command = {},
                              .log = "count.log",
                              .output = {},
                              .command_file = "cmd.txt"}));
  plan.writes = {profiles::kModelSummaryFile, report::kModelSummaryMarkdown, "cmd.txt",
                 "count.log", pipeline::kAgentFolder};
  return plan;
}

pipeline::StageOutcome RunPythonModel(pipeline::StageContext& context) {
  Result<pipeline::StageOutcome> outcome = Describe(context);
  if (!outcome.ok()) return std::move(outcome).error();
  return std::move(outcome).value();
}

}  // namespace ridgeline::stages
