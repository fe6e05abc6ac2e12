#include "pipeline/legacy_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/registry.h"
#include "pipeline/adapt_tree.h"

namespace ridgeline::pipeline {
namespace {

// Old and new key. Both end in ".*" if whole mappings have moved.
using Renamed = models::RenamedKey;

constexpr Renamed kRenamed[] = {
    // Outputs used to be one section for all stages, later named `output`.
    {"outputs.save_predictions", "pipeline.torch_profiler.output.prediction.enable"},
    {"outputs.predictions.*", "pipeline.torch_profiler.output.prediction.*"},
    {"outputs.visualization.*", "pipeline.torch_profiler.output.visualization.*"},
    {"outputs.*", "pipeline.torch_profiler.output.*"},
    {"output.save_predictions", "pipeline.torch_profiler.output.prediction.enable"},
    {"output.*", "pipeline.torch_profiler.output.*"},

    // Stages used to be at the top level.
    {"analysis.static.enabled", "pipeline.static_analysis.enable"},
    {"analysis.static.*", "pipeline.static_analysis.*"},
    {"runners.analysis.static.enabled", "pipeline.static_analysis.enable"},
    {"runners.analysis.static.*", "pipeline.static_analysis.*"},
    {"torch_profiler.rep_max_new_tokens", "run.representative_max_new_tokens"},
    {"torch_profiler.*", "pipeline.torch_profiler.*"},
    {"profiling.rep_max_new_tokens", "run.representative_max_new_tokens"},
    {"profiling.*", "pipeline.torch_profiler.*"},
    {"pipeline.torch_profiler.rep_max_new_tokens", "run.representative_max_new_tokens"},
    {"nsys.capture", "pipeline.nsys.capture_range"},
    {"nsys.*", "pipeline.nsys.*"},

    // The arguments of ncu used to be next to `enable`.
    {"ncu.enable", "pipeline.ncu.enable"},
    {"ncu.gating_nvtx", "pipeline.ncu.gating_nvtx"},
    {"ncu.nvtx_include", "pipeline.ncu.ncu_cli.nvtx.include"},
    {"ncu.csv", "pipeline.ncu.ncu_cli.export.csv"},
    {"ncu.ncu_cli.*", "pipeline.ncu.ncu_cli.*"},
    {"ncu.*", "pipeline.ncu.ncu_cli.*"},
    {"pipeline.ncu.nvtx_include", "pipeline.ncu.ncu_cli.nvtx.include"},
    {"pipeline.ncu.csv", "pipeline.ncu.ncu_cli.export.csv"},
    {"pipeline.ncu.target_processes", "pipeline.ncu.ncu_cli.target_processes"},
    {"pipeline.ncu.replay_mode", "pipeline.ncu.ncu_cli.replay_mode"},
    {"pipeline.ncu.set", "pipeline.ncu.ncu_cli.set"},
    {"pipeline.ncu.metrics", "pipeline.ncu.ncu_cli.metrics"},
    {"pipeline.ncu.sections", "pipeline.ncu.ncu_cli.sections"},
    {"pipeline.ncu.kernel_name", "pipeline.ncu.ncu_cli.kernel_name"},
    {"pipeline.ncu.kernel_name_base", "pipeline.ncu.ncu_cli.kernel_name_base"},
    {"pipeline.ncu.launch_skip", "pipeline.ncu.ncu_cli.launch_skip"},
    {"pipeline.ncu.launch_count", "pipeline.ncu.ncu_cli.launch_count"},

    // Mount point of conf/runner/*.yaml.
    {"stage1_runner.enabled", "pipeline.static_analysis.enable"},
    {"stage2_runner.*", "*"},
    {"stage1_runner.*", "*"},

    // A repeat of the first stage used to be one sample of the dataset.
    {"run.stage1_repeats", "dataset.sampling.num_samples_per_epoch"},
    {"repeats", "run.repeats"},
    {"max_new_tokens", "infer.max_new_tokens"},
    {"run.device", "device"},
    {"artifacts.stage2_dir", "hydra.run.dir"},
    {"artifacts.runs_dir", "hydra.run.dir"},
};

constexpr std::string_view kRunsDir = "artifacts.runs_dir";

// In files these only describe captures, or only name hydra.run.dir.
constexpr std::string_view kOverrideOnly[] = {"run.stage1_repeats",
                                              "artifacts.stage2_dir", kRunsDir};

struct Unused {
  std::string_view key;
  std::string_view reason;
};

constexpr Unused kUnused[] = {
    {"run.stage1_repeats", "dataset.sampling.* selects the pages of every stage"},
    {"infer.batch_size", "pages are read one at a time"},
    {"infer.device", "the device of all stages is `device`"},
    {"infer.dtype", "the dtype of the weights is `model.dtype`"},
    {"model.preprocess.normalize", "each model has its own normalization"},
};

// conf/runner/*.yaml: whole files, now replaced by a few keys.
struct OldRunner {
  std::string_view option;
  std::vector<std::string> overrides;
};

const std::vector<OldRunner>& OldRunners() {
  static const std::vector<OldRunner> runners = {
      {"stage1.default", {"pipeline.static_analysis.enable=true"}},
      {"stage1.no-static", {"pipeline.static_analysis.enable=false"}},
      {"stage2", {"pipeline.nsys.enable=true", "pipeline.ncu.enable=true"}},
  };
  return runners;
}

struct Parts {
  std::string_view sign;   // "", "+", "++", "~".
  std::string_view key;    // With "@package", if any.
  std::string_view value;  // After the first "="; empty if none.
  bool has_value = false;
};

Parts Split(std::string_view text) {
  Parts parts;
  size_t sign = 0;
  while (sign < text.size() && sign < 2 && (text[sign] == '+' || text[sign] == '~')) {
    ++sign;
  }
  const size_t equal = text.find('=');
  parts.sign = text.substr(0, sign);
  parts.has_value = equal != std::string_view::npos;
  parts.key = text.substr(sign, parts.has_value ? equal - sign : std::string_view::npos);
  if (parts.has_value) parts.value = text.substr(equal + 1);
  return parts;
}

// The new name of `key` by one row of the table; empty if it does not match.
std::string Rename(const Renamed& row, std::string_view key) {
  if (!row.from.ends_with(".*")) return key == row.from ? std::string(row.to) : "";
  const std::string_view prefix = row.from.substr(0, row.from.size() - 1);  // "a.b."
  if (!key.starts_with(prefix) || key.size() == prefix.size()) return "";
  const std::string_view target = row.to.substr(0, row.to.size() - 1);
  return std::string(target) + std::string(key.substr(prefix.size()));
}

const OldRunner* FindRunner(const Parts& parts) {
  const std::string_view group = parts.key.substr(0, parts.key.find('@'));
  if (group != "runner" && group != "runners") return nullptr;
  for (const OldRunner& runner : OldRunners()) {
    if (runner.option == parts.value) return &runner;
  }
  return nullptr;
}

bool Contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void AddNote(RewrittenOverrides& rewritten, std::string note) {
  if (!Contains(rewritten.notes, note)) rewritten.notes.push_back(std::move(note));
}

// outputs={save_predictions: true}: a mapping that has moved.
bool IsOldMapping(const Parts& parts) {
  if (!parts.value.starts_with('{')) return false;
  const std::string inside = std::string(parts.key) + ".";
  return std::any_of(std::begin(kRenamed), std::end(kRenamed), [&](const Renamed& row) {
    const std::string_view first = row.from.substr(0, row.from.find('.'));
    return row.from.starts_with(inside) && first != "pipeline" && first != "run" &&
           first != "artifacts";
  });
}

// The files of conf/preset/ used to be in a group named like the key `experiment`.
bool IsOldPreset(const Parts& parts) {
  return parts.sign == "+" && parts.key == "experiment" &&
         (parts.value == "demo" || parts.value == "resnet");
}

// By key; the value that wins.
using Keys = std::map<std::string, std::string, std::less<>>;

// Whether no group has such a key, nor keys below it. Models check `extra` themselves.
bool IsMissing(const std::string& key, std::span<const KeyGroup> groups) {
  return !groups.empty() && key != "hydra.run.dir" &&
         key.find(".output.extra.") == std::string::npos &&
         FindKey(groups, key) == nullptr && !HasKeysBelow(groups, key);
}

void Rewrite(const std::string& text, const Keys& given, std::span<const KeyGroup> groups,
             RewrittenOverrides& rewritten) {
  const Parts parts = Split(text);
  if (!parts.has_value || parts.sign.starts_with('~')) {
    rewritten.overrides.push_back(text);
    return;
  }
  if (const OldRunner* runner = FindRunner(parts)) {
    for (const std::string& now : runner->overrides) rewritten.overrides.push_back(now);
    AddNote(rewritten, fmt::format("{}={} is now {}", parts.key, parts.value,
                                   fmt::join(runner->overrides, " ")));
    return;
  }
  if (parts.key == "stage1_runner.disable_static" &&
      (parts.value == "true" || parts.value == "false")) {
    const std::string now = fmt::format("pipeline.static_analysis.enable={}",
                                        parts.value == "true" ? "false" : "true");
    rewritten.overrides.push_back(now);
    AddNote(rewritten, fmt::format("{}={} is now {}", parts.key, parts.value, now));
    return;
  }
  if (IsOldPreset(parts)) {
    rewritten.overrides.push_back(fmt::format("+preset={}", parts.value));
    AddNote(rewritten, fmt::format("+experiment={0} is now +preset={0}", parts.value));
    return;
  }
  if (IsOldMapping(parts)) {
    rewritten.overrides.push_back(fmt::format("++{}={}", parts.key, parts.value));
    return;
  }
  const std::string now = NewNameOf(parts.key);
  if (now.empty()) {
    rewritten.overrides.push_back(text);
    return;
  }
  if (given.contains(now)) {
    if (parts.key == kRunsDir && given.find(now)->second != parts.value) {
      rewritten.overrides.push_back(text);  // CheckConfig refuses two directories.
      return;
    }
    AddNote(rewritten, fmt::format("{} is ignored: {} is given", parts.key, now));
    return;
  }
  rewritten.overrides.push_back(fmt::format("{}={}", now, parts.value));
  AddNote(rewritten,
          IsMissing(now, groups)
              ? fmt::format("{} would be {} now, which is not a key", parts.key, now)
              : fmt::format("{} is now {}", parts.key, now));
}

}  // namespace

RewrittenOverrides RewriteLegacyOverrides(const std::vector<std::string>& overrides,
                                          std::span<const KeyGroup> groups) {
  Keys given;
  for (const std::string& text : overrides) {
    const Parts parts = Split(text);
    given.insert_or_assign(std::string(parts.key), std::string(parts.value));
  }
  RewrittenOverrides rewritten;
  for (const std::string& text : overrides) Rewrite(text, given, groups, rewritten);
  return rewritten;
}

std::string OldRunnerNames() {
  std::vector<std::string_view> names;
  for (const OldRunner& runner : OldRunners()) names.push_back(runner.option);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string NewNameOf(std::string_view key) {
  for (const models::ModelEntry& model : models::AllModels()) {
    for (const Renamed& row : model.renamed_keys) {
      if (row.from == key) return std::string(row.to);
    }
  }
  // The first match applies.
  for (const Renamed& row : kRenamed) {
    std::string now = Rename(row, key);
    if (now.empty()) continue;
    const std::string later = row.to == "*" ? NewNameOf(now) : "";
    return later.empty() ? now : later;
  }
  return "";
}

bool IsOverrideOnly(std::string_view key) {
  return std::find(std::begin(kOverrideOnly), std::end(kOverrideOnly), key) !=
         std::end(kOverrideOnly);
}

std::string WhyUnused(std::string_view key) {
  for (const Unused& unused : kUnused) {
    if (unused.key == key) return std::string(unused.reason);
  }
  return "no stage or model reads it";
}

}  // namespace ridgeline::pipeline
