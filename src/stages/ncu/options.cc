#include "stages/ncu/options.h"

#include "config/reader.h"
#include "config/tree/select.h"
#include "pipeline/text_list.h"
#include "stages/shared/capture_limits.h"

namespace ridgeline::stages {
namespace {

void ReadCommandLine(config::Reader& reader, config::Workspace& workspace,
                     NcuOptions& options) {
  const auto text = [&reader](std::string_view key, std::string& target) {
    std::optional<std::string> value;
    reader.ReadOptional(key, value);
    target = value.value_or("");
  };
  const auto texts = [&](config::Reader& section, std::string_view key) {
    return pipeline::ReadTextOrList(section, workspace, key);
  };
  text("target_processes", options.target_processes);
  text("replay_mode", options.replay_mode);
  if (reader.ReadNode("nvtx") != nullptr) {
    reader.ReadSection("nvtx", [&](config::Reader& nvtx) {
      options.nvtx_include = texts(nvtx, "include");
    });
  }
  text("set", options.set);
  options.sections = pipeline::ReadTextList(reader, workspace, "sections");
  options.metrics = pipeline::ReadTextList(reader, workspace, "metrics");
  text("kernel_name", options.kernel_name);
  text("kernel_name_base", options.kernel_name_base);
  options.kernel_exclude = texts(reader, "kernel_exclude");
  reader.ReadOptional("launch_skip", options.launch_skip);
  reader.ReadOptional("launch_count", options.launch_count);
  text("clock_control", options.clock_control);
  text("cache_control", options.cache_control);
  if (reader.ReadNode("export") != nullptr) {
    reader.ReadSection("export", [&](config::Reader& section) {
      section.ReadOptional("csv", options.export_csv);
    });
  }
  reader.ReadOptional("force_overwrite", options.force_overwrite);
  options.extra_args = pipeline::ReadTextList(reader, workspace, "extra_args");
}

// conf/profiling/ncu/ncu.default.yaml; our range, which other programs may not have.
constexpr std::string_view kDefaultInclude = "decode/";

// Overrides have no line.
bool HasDefaultInclude(const pipeline::StageConfig& config, const NcuOptions& options) {
  const config::Result<config::Node*> node =
      config::Select(config.workspace, config.root, "pipeline.ncu.ncu_cli.nvtx.include");
  if (!node.ok() || node.value() == nullptr) return false;
  const config::Origin& origin = node.value()->origin;
  return !(origin.known() && origin.line == 0) && options.nvtx_include.size() == 1 &&
         options.nvtx_include.front() == kDefaultInclude;
}

}  // namespace

bool NcuOptions::RecordsNvtx() const { return IsGated() || MentionNvtx(extra_args); }

config::Result<NcuOptions> ReadNcuOptions(const pipeline::StageConfig& config) {
  NcuOptions options;
  config::Reader reader(config.workspace, config.section);
  reader.IgnoreOthers();
  reader.ReadOptional("gating_nvtx", options.gating_nvtx);
  RIDGELINE_TRY(options.limits, ReadCaptureLimits(config, reader));
  std::optional<std::string> kernel_config;
  reader.ReadOptional("kernel_config", kernel_config);
  // Relative to the current directory: stages run elsewhere.
  if (kernel_config) options.kernel_config = std::filesystem::absolute(*kernel_config);
  if (reader.ReadNode("plan") != nullptr) {
    reader.ReadSection("plan", [&options](config::Reader& plan) {
      plan.ReadOptional("share", options.plan_share);
      if (plan.ReadNode("budget_s") != nullptr) {
        plan.ReadOptional("budget_s", options.plan_budget_s);
      }
      if (plan.ReadNode("launches_per_kernel") != nullptr) {
        plan.ReadOptional("launches_per_kernel", options.launches_per_kernel);
      }
    });
  }
  if (reader.ReadNode("ncu_cli") != nullptr) {
    reader.ReadSection("ncu_cli", [&](config::Reader& section) {
      ReadCommandLine(section, config.workspace, options);
    });
  }
  reader.ReadOptional("timeout_s", options.timeout_s);
  RIDGELINE_RETURN_IF_ERROR(reader.Finish());
  options.limits.records_nvtx = options.RecordsNvtx();
  options.has_default_include = HasDefaultInclude(config, options);
  RIDGELINE_TRY(config::Node * run, config::Select(config.workspace, config.root, "run"));
  if (run != nullptr) {
    config::Reader(config.workspace, *run)
        .ReadOptional("top_n_kernels", options.top_kernels);
  }
  return options;
}

}  // namespace ridgeline::stages
