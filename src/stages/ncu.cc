#include "stages/ncu.h"

#include <fmt/format.h>

#include "config/reader.h"
#include "os/files.h"
#include "pipeline/stage_context.h"
#include "pipeline/text_list.h"

namespace ridgeline::stages {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReportBase = "run";

pipeline::PlannedCommand ExportCommand(const fs::path& directory) {
  return {.purpose = "ncu export",
          .command = {.argv = {"ncu", "--import",
                               (directory / kReportBase).string() + ".ncu-rep", "--page",
                               "raw", "--csv"},
                      .environment = {{"LC_ALL", "C"}},
                      .directory = {}},
          .log = "export.log",
          .output = "raw.csv",
          .command_file = "cmd_export.txt"};
}

void ReadCommandLine(config::Reader& reader, config::Workspace& workspace,
                     NcuOptions& options) {
  const auto text = [&reader](std::string_view key, std::string& target) {
    std::optional<std::string> value;
    reader.ReadOptional(key, value);
    target = value.value_or("");
  };
  text("target_processes", options.target_processes);
  text("replay_mode", options.replay_mode);
  if (reader.ReadNode("nvtx") != nullptr) {
    reader.ReadSection("nvtx", [&](config::Reader& nvtx) {
      options.nvtx_include = pipeline::ReadTextList(nvtx, workspace, "include");
    });
  }
  text("set", options.set);
  options.sections = pipeline::ReadTextList(reader, workspace, "sections");
  options.metrics = pipeline::ReadTextList(reader, workspace, "metrics");
  text("kernel_name", options.kernel_name);
  text("kernel_name_base", options.kernel_name_base);
  reader.Ignore("kernel_exclude");  // For a choice of kernels from nsys.
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

}  // namespace

os::Command BuildNcuCommand(const NcuOptions& options, const os::Command& workload,
                            const fs::path& report) {
  os::Command command = workload;
  std::vector<std::string> argv = {"ncu"};
  const auto add = [&argv](const char* flag, const std::string& value) {
    if (!value.empty()) argv.insert(argv.end(), {flag, value});
  };
  const auto number = [](const std::optional<int64_t>& value) {
    return value ? std::to_string(*value) : "";
  };
  add("--target-processes", options.target_processes);
  add("--replay-mode", options.replay_mode);
  if (options.gating_nvtx && !options.nvtx_include.empty()) {
    argv.emplace_back("--nvtx");
    for (const std::string& range : options.nvtx_include) add("--nvtx-include", range);
  }
  add("--set", options.set);
  for (const std::string& section : options.sections) add("--section", section);
  add("--metrics", fmt::format("{}", fmt::join(options.metrics, ",")));
  add("--kernel-name", options.kernel_name);
  add("--kernel-name-base", options.kernel_name_base);
  add("--launch-skip", number(options.launch_skip));
  add("--launch-count", number(options.launch_count));
  add("--clock-control", options.clock_control);
  add("--cache-control", options.cache_control);
  if (options.force_overwrite) argv.emplace_back("--force-overwrite");
  argv.insert(argv.end(), options.extra_args.begin(), options.extra_args.end());
  argv.insert(argv.end(), {"-o", report.string()});
  argv.insert(argv.end(), workload.argv.begin(), workload.argv.end());
  command.argv = std::move(argv);
  return command;
}

pipeline::StagePlan Ncu::Plan(const pipeline::StagePlace& place) const {
  pipeline::StagePlan plan;
  plan.commands.push_back({.purpose = "ncu",
                           .command = BuildNcuCommand(
                               options_,
                               place.workload.AsCommand({place.workload_scratch,
                                                         place.workload_scratch, "ncu"}),
                               place.directory / kReportBase),
                           .log = "ncu.log",
                           .output = {},
                           .command_file = "cmd.txt"});
  plan.tools = {"ncu"};
  plan.writes = {"run.ncu-rep", "cmd.txt", "ncu.log"};
  if (options_.export_csv) {
    plan.commands.push_back(ExportCommand(place.directory));
    plan.writes.insert(plan.writes.begin() + 1, "raw.csv");
  }
  return plan;
}

pipeline::StageOutcome Ncu::Run(pipeline::StageContext& context) {
  Status prepared = context.PrepareWorkload();
  if (!prepared.ok()) return std::move(prepared).error();
  const pipeline::PlannedCommand& profile = context.plan().commands.front();
  Result<os::ProcessResult> ran = context.Run(profile);
  if (!ran.ok()) return std::move(ran).error();
  Status ended = context.CheckEnd(profile, ran.value());
  if (!ended.ok()) return std::move(ended).error();

  const std::string report = std::string(kReportBase) + ".ncu-rep";
  if (!os::IsRegularFile(context.place().directory / report)) {
    // With exit code 0, and a warning that is easily missed.
    return Error(ErrorCode::kTool,
                 "no kernels were profiled: the workload launched none, or none within "
                 "pipeline.ncu.ncu_cli.nvtx.include; see ncu/ncu.log");
  }
  if (options_.export_csv) {
    const pipeline::PlannedCommand& csv = context.plan().commands.back();
    Result<os::ProcessResult> exported = context.Run(csv);
    if (!exported.ok()) return std::move(exported).error();
    ended = context.CheckEnd(csv, exported.value());
    if (!ended.ok()) return std::move(ended).error();
  }
  return pipeline::Done{report};
}

config::Result<std::unique_ptr<pipeline::Stage>> MakeNcu(
    const pipeline::StageConfig& config) {
  NcuOptions options;
  config::Reader reader(config.workspace, config.section);
  reader.ReadOptional("gating_nvtx", options.gating_nvtx);
  if (reader.ReadNode("ncu_cli") != nullptr) {
    reader.ReadSection("ncu_cli", [&](config::Reader& section) {
      ReadCommandLine(section, config.workspace, options);
    });
  }
  for (const char* key : {"enable", "timeout_s", "description"}) reader.Ignore(key);
  RIDGELINE_RETURN_IF_ERROR(reader.Finish());
  return std::unique_ptr<pipeline::Stage>(std::make_unique<Ncu>(std::move(options)));
}

}  // namespace ridgeline::stages
