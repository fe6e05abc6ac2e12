#include "stages/ncu/ncu.h"

namespace ridgeline::stages {
namespace {

using pipeline::ConfigKey;
using enum pipeline::ValueKind;

constexpr ConfigKey kNcuKeys[] = {
    {.path = "pipeline.ncu.description"},
    {.path = "pipeline.ncu.kernel_config", .nullable = true},
    {.path = "pipeline.ncu.plan.share", .kind = kNumber, .above = 0},
    {.path = "pipeline.ncu.plan.budget_s", .kind = kNumber, .nullable = true, .above = 0},
    {.path = "pipeline.ncu.ncu_cli.target_processes", .choices = "all|application-only"},
    {.path = "pipeline.ncu.ncu_cli.replay_mode",
     .choices = "kernel|application|range|app-range"},
    {.path = "pipeline.ncu.ncu_cli.nvtx.include", .kind = kTextOrList, .nullable = true},
    {.path = "pipeline.ncu.ncu_cli.set", .nullable = true},
    {.path = "pipeline.ncu.ncu_cli.sections", .kind = kTextList, .nullable = true},
    {.path = "pipeline.ncu.ncu_cli.metrics", .kind = kTextOrList, .nullable = true},
    {.path = "pipeline.ncu.ncu_cli.kernel_name", .nullable = true},
    {.path = "pipeline.ncu.ncu_cli.kernel_name_base",
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
     .choices = "base|none"},
    {.path = "pipeline.ncu.ncu_cli.cache_control",
     .nullable = true,
     .choices = "all|none"},
    {.path = "pipeline.ncu.ncu_cli.export.csv", .kind = kBool},
    {.path = "pipeline.ncu.ncu_cli.force_overwrite", .kind = kBool},
    {.path = "pipeline.ncu.ncu_cli.extra_args", .kind = kArguments},
    {.path = "pipeline.ncu.enable", .kind = kBool},
    {.path = "pipeline.ncu.gating_nvtx", .kind = kBool},
    {.path = "pipeline.ncu.timeout_s", .kind = kNumber, .nullable = true, .above = 0},
};

}  // namespace

pipeline::KeyGroup NcuKeys() { return {kNcuKeys}; }

}  // namespace ridgeline::stages
