#include "workloads/placed_config.h"

#include <algorithm>
#include <initializer_list>

namespace ridgeline::workloads {
namespace {

namespace fs = std::filesystem;
using config::Dict;
using config::Value;

using Keys = std::initializer_list<std::string_view>;

Value* FindAt(Value& root, Keys keys) {
  Value* value = &root;
  for (const std::string_view key : keys) {
    if (!value->is_dict()) return nullptr;
    value = value->dict().Find(std::string(key));
    if (value == nullptr) return nullptr;
  }
  return value;
}

// Creates missing mappings along the path.
void SetAt(Value& root, Keys sections, std::string_view key, Value value) {
  Value* section = &root;
  for (const std::string_view name : sections) {
    Value* found = section->dict().Find(std::string(name));
    if (found == nullptr || !found->is_dict()) {
      section->dict().Set(std::string(name), Value(Dict()));
      found = section->dict().Find(std::string(name));
    }
    section = found;
  }
  section->dict().Set(std::string(key), std::move(value));
}

std::optional<int64_t> IntAt(Value& root, Keys keys) {
  const Value* value = FindAt(root, keys);
  if (value == nullptr || !value->is_int()) return std::nullopt;
  const auto& integer = std::get<config::Integer>(value->scalar());
  if (!integer.fits_int64()) return std::nullopt;
  return integer.AsInt64();
}

Value AtMost(std::optional<int64_t> configured, int64_t limit) {
  return Value(config::Integer(std::min(configured.value_or(limit), limit)));
}

void Limit(const pipeline::CaptureLimits& limits, Value& config) {
  if (limits.samples) {
    const std::optional<int64_t> samples =
        IntAt(config, {"dataset", "sampling", "num_samples_per_epoch"});
    const int64_t epochs = std::max<int64_t>(
        1, IntAt(config, {"dataset", "sampling", "num_epochs"}).value_or(1));
    const bool all_fit = samples && *samples <= *limits.samples / epochs;
    SetAt(config, {"dataset", "sampling"}, "num_samples_per_epoch",
          AtMost(samples, *limits.samples));
    SetAt(config, {"dataset", "sampling"}, "num_epochs",
          Value(config::Integer(all_fit ? epochs : 1)));
  }
  if (limits.repeats) {
    SetAt(config, {"run"}, "repeats",
          AtMost(IntAt(config, {"run", "repeats"}), *limits.repeats));
  }
  if (limits.max_new_tokens && !IntAt(config, {"run", "representative_max_new_tokens"})) {
    SetAt(config, {"run"}, "representative_max_new_tokens",
          AtMost(IntAt(config, {"infer", "max_new_tokens"}), *limits.max_new_tokens));
  }
}

// Calls visit(stage, output, save_dir) for each save_dir that is a string.
template <typename Visit>
void ForEachSaveDir(Value& config, Visit visit) {
  for (const std::string_view stage : kStagesWithOutput) {
    for (const std::string_view output : kOutputs) {
      Value* save_dir = FindAt(config, {"pipeline", stage, "output", output, "save_dir"});
      if (save_dir != nullptr && save_dir->is_string()) visit(stage, output, *save_dir);
    }
  }
}

bool LeavesItsStage(std::string_view stage, const fs::path& save_dir) {
  return save_dir.is_relative() && *SaveDirInRun(stage, save_dir).begin() != stage;
}

}  // namespace

fs::path WithoutSlash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

fs::path SaveDirInRun(std::string_view stage, const fs::path& save_dir) {
  return WithoutSlash((fs::path(stage) / save_dir).lexically_normal());
}

Value PlacedConfig(Value config, const pipeline::WorkloadPlace& place) {
  if (!config.is_dict()) return config;
  if (place.task == pipeline::WorkloadTask::kCapture) {
    Limit(place.limits, config);
    SetAt(config, {"pipeline", "torch_profiler", "output", "visualization"}, "enable",
          Value(false));
    ForEachSaveDir(config, [](std::string_view stage, std::string_view, Value& save_dir) {
      const fs::path path = save_dir.string();
      if (path.is_absolute() || LeavesItsStage(stage, path)) save_dir = Value("pred");
    });
    return config;
  }
  if (place.final_output.empty()) return config;
  ForEachSaveDir(config, [&](std::string_view stage, std::string_view, Value& save_dir) {
    const fs::path path = save_dir.string();
    if (path.is_absolute()) return;
    const fs::path in_run = SaveDirInRun(stage, path);
    save_dir = LeavesItsStage(stage, path)
                   ? Value((place.final_output.parent_path() / in_run).string())
                   : Value(in_run.lexically_relative(stage).string());
  });
  return config;
}

std::vector<std::string> OutputNamesInRun(const Value& config) {
  std::vector<std::string> names;
  Value copy = config;
  ForEachSaveDir(copy, [&](std::string_view stage, std::string_view, Value& save_dir) {
    if (!LeavesItsStage(stage, save_dir.string())) return;
    names.push_back(SaveDirInRun(stage, save_dir.string()).begin()->string());
  });
  return names;
}

}  // namespace ridgeline::workloads
