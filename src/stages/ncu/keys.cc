#include "pipeline/config_values.h"
#include "stages/ncu/ncu.h"

namespace ridgeline::stages {
namespace {

using pipeline::ConfigKey;
using enum pipeline::ValueKind;

constexpr ConfigKey kNcuKeys[] = {
    {.path = "pipeline.ncu.description"},
    {.path = "pipeline.ncu.kernel_config", .nullable = true, .otherwise = "null"},
    {.path = "pipeline.ncu.plan.share", .kind = kNumber, .above = 0, .otherwise = "1.0"},
    {.path = "pipeline.ncu.plan.budget_s",
     .kind = kNumber,
     .nullable = true,
     .above = 0,
     .otherwise = "600"},
    {.path = "pipeline.ncu.plan.launches_per_kernel",
     .kind = kInteger,
     .nullable = true,
     .min = 1,
     .otherwise = "20"},
    {.path = "pipeline.ncu.ncu_cli.target_processes",
     .nullable = true,
     .choices = "all|application-only",
     .otherwise = "all"},
    {.path = "pipeline.ncu.ncu_cli.replay_mode",
     .choices = "kernel|application|range|app-range",
     .otherwise = "kernel"},
    {.path = "pipeline.ncu.ncu_cli.nvtx.include",
     .kind = kTextOrList,
     .nullable = true,
     .otherwise = "decode/"},
    {.path = "pipeline.ncu.ncu_cli.set", .nullable = true, .otherwise = "roofline"},
    {.path = "pipeline.ncu.ncu_cli.sections", .kind = kTextList, .nullable = true},
    {.path = "pipeline.ncu.ncu_cli.metrics", .kind = kTextOrList, .nullable = true},
    {.path = "pipeline.ncu.ncu_cli.kernel_name", .nullable = true, .otherwise = "null"},
    {.path = "pipeline.ncu.ncu_cli.kernel_name_base",
     .choices = "function|demangled|mangled",
     .otherwise = "demangled"},
    {.path = "pipeline.ncu.ncu_cli.kernel_exclude",
     .kind = kTextList,
     .nullable = true,
     .otherwise = "null"},
    {.path = "pipeline.ncu.ncu_cli.launch_skip",
     .kind = kInteger,
     .nullable = true,
     .min = 0,
     .otherwise = "null"},
    {.path = "pipeline.ncu.ncu_cli.launch_count",
     .kind = kInteger,
     .nullable = true,
     .min = 1,
     .otherwise = "null"},
    {.path = "pipeline.ncu.ncu_cli.clock_control",
     .nullable = true,
     .choices = "base|none",
     .otherwise = "null"},
    {.path = "pipeline.ncu.ncu_cli.cache_control",
     .nullable = true,
     .choices = "all|none",
     .otherwise = "null"},
    {.path = "pipeline.ncu.ncu_cli.export.csv", .kind = kBool, .otherwise = "true"},
    {.path = "pipeline.ncu.ncu_cli.force_overwrite", .kind = kBool, .otherwise = "true"},
    {.path = "pipeline.ncu.ncu_cli.extra_args", .kind = kArguments, .otherwise = "[]"},
    {.path = "pipeline.ncu.enable", .kind = kBool, .otherwise = "false"},
    {.path = "pipeline.ncu.limits.samples",
     .kind = kInteger,
     .nullable = true,
     .min = 1,
     .otherwise = "1"},
    {.path = "pipeline.ncu.limits.repeats",
     .kind = kInteger,
     .nullable = true,
     .min = 1,
     .otherwise = "1"},
    {.path = "pipeline.ncu.limits.max_new_tokens",
     .kind = kInteger,
     .nullable = true,
     .min = 1,
     .otherwise = "512"},
    {.path = "pipeline.ncu.gating_nvtx", .kind = kBool, .otherwise = "true"},
    {.path = "pipeline.ncu.timeout_s",
     .kind = kNumber,
     .nullable = true,
     .above = 0,
     .otherwise = "7200"},
};

void CheckShare(pipeline::ConfigValues& values) {
  constexpr const char* kShare = "pipeline.ncu.plan.share";
  const config::Node* share = values.Find(kShare);
  if (share == nullptr) return;
  const double* number = std::get_if<double>(&share->value.scalar());
  const bool above = number != nullptr ? *number > 1 : values.Int(kShare).value_or(1) > 1;
  if (above) values.Fail(kShare, "is a share of the GPU time: above 0, at most 1");
}

}  // namespace

pipeline::KeyGroup NcuKeys() { return {kNcuKeys, CheckShare}; }

}  // namespace ridgeline::stages
