#include "app/run/keys.h"

#include <fmt/format.h>

#include "pipeline/config_values.h"

namespace ridgeline::app {
namespace {

using pipeline::ConfigKey;
using enum pipeline::ValueKind;

bool IsDevice(std::string_view text) {
  if (text == "cpu" || text == "cuda" || text == "auto") return true;
  constexpr std::string_view kPrefix = "cuda:";
  return text.starts_with(kPrefix) && text.size() > kPrefix.size() &&
         pipeline::IsCount(text.substr(kPrefix.size()));
}

constexpr std::string_view kDevice = "cpu, cuda, cuda:N or auto";

constexpr ConfigKey kRunKeys[] = {
    {.path = "experiment", .nullable = true},
    {.path = "device", .required = true, .accepts = IsDevice, .expected = kDevice},
    {.path = "use_flash_attn", .kind = kBool, .otherwise = "true"},
    {.path = "run.mode", .choices = "deep|light", .otherwise = "deep"},
    {.path = "run.device", .accepts = IsDevice, .expected = kDevice},
    {.path = "run.repeats", .kind = kInteger, .min = 1, .otherwise = "3"},
    {.path = "run.dataset_subset_filelist", .nullable = true, .otherwise = "null"},
    {.path = "run.top_n_kernels", .kind = kInteger, .min = 1, .otherwise = "30"},
    {.path = "run.representative_max_new_tokens",
     .kind = kInteger,
     .nullable = true,
     .min = 1,
     .otherwise = "null"},
    {.path = "run.grace_s", .kind = kNumber, .min = 0, .otherwise = "10"},
    {.path = "run.join", .kind = kBool, .otherwise = "false"},
    {.path = "run.on_skip", .choices = "warn|fail", .otherwise = "warn"},
    {.path = "run.sweep_metrics", .kind = kTextList, .otherwise = "[]"},
    {.path = "artifacts.runs_dir"},

    // For users, with any content.
    {.path = "user", .kind = kMapping},
};

void CheckDevice(pipeline::ConfigValues& values) {
  const std::string device = values.Text("device");
  const std::string old = values.Text("run.device");
  if (!old.empty() && old != device) {
    values.Fail(
        "run.device",
        fmt::format("is '{}', but device is '{}'; set only `device`", old, device));
  }
}

void CheckRunDirectory(pipeline::ConfigValues& values) {
  const std::string used = values.HydraText("run.dir");
  const std::string given = values.Text("artifacts.runs_dir");
  if (!given.empty() && !used.empty() && given != used) {
    values.Fail(
        "artifacts.runs_dir",
        fmt::format("is '{}', but hydra.run.dir is '{}'; set only `hydra.run.dir`", given,
                    used));
  }
}

void CheckRun(pipeline::ConfigValues& values) {
  CheckDevice(values);
  CheckRunDirectory(values);
}

}  // namespace

pipeline::KeyGroup RunKeys() { return {kRunKeys, CheckRun}; }

}  // namespace ridgeline::app
