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
     .otherwise = "null"},
    {.path = "pipeline.ncu.ncu_cli.target_processes",
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
    {.path = "pipeline.ncu.gating_nvtx", .kind = kBool, .otherwise = "true"},
    {.path = "pipeline.ncu.timeout_s",
     .kind = kNumber,
     .nullable = true,
     .above = 0,
     .otherwise = "7200"},
};

}  // namespace

pipeline::KeyGroup NcuKeys() { return {kNcuKeys}; }

}  // namespace ridgeline::stages
