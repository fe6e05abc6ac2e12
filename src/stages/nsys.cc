#include "stages/nsys.h"

#include <fmt/format.h>

#include "config/reader.h"
#include "hardware/nsys_importer.h"
#include "os/files.h"
#include "pipeline/stage_context.h"
#include "pipeline/text_list.h"
#include "stages/shared/nvtx_dry_run.h"

namespace ridgeline::stages {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReportBase = "run";
constexpr int kEndedByNsys = 143;  // 128 + SIGTERM.

// What is in `directory` with this ending, by name.
Result<std::vector<std::string>> FilesEndingIn(const fs::path& directory,
                                               std::string_view ending) {
  RIDGELINE_TRY(const auto entries, os::ListDirectory(directory));
  std::vector<std::string> names;
  for (const os::DirectoryEntry& entry : entries) {
    if (entry.name.ends_with(ending)) names.push_back(entry.name);
  }
  return names;
}

// nsys found no importer beside itself and left its raw stream (run.qdstrm).
Status ImportStreams(pipeline::StageContext& context, const fs::path& importer) {
  RIDGELINE_TRY(const auto streams, FilesEndingIn(context.place().directory, ".qdstrm"));
  for (const std::string& stream : streams) {
    const fs::path path = context.place().directory / stream;
    fs::path report = path;
    report.replace_extension(".nsys-rep");
    const pipeline::PlannedCommand import = {
        .purpose = "nsys importer",
        .command = {.argv = {importer.string(), "--input-file", path.string(),
                             "--output-file", report.string()},
                    .environment = {},
                    .directory = {}},
        .log = "importer.log",
        .output = {},
        .command_file = "cmd_import.txt"};
    RIDGELINE_TRY(const os::ProcessResult ran, context.Run(import));
    RIDGELINE_RETURN_IF_ERROR(context.CheckEnd(import, ran));
    RIDGELINE_RETURN_IF_ERROR(os::RemoveAll(path));
  }
  return Ok();
}

// nsys returns 0 when it has written nothing at all.
Error NoReport(const NsysOptions& options) {
  std::string text = "nsys wrote no report";
  if (options.IsGated()) {
    text += fmt::format(
        ": no NVTX range '{}' was opened while it watched; ranges of other domains need "
        "name@domain or name@*. The whole run is captured with "
        "pipeline.nsys.gating_nvtx=false",
        options.nvtx_capture);
  }
  return {ErrorCode::kTool, text + "; see nsys/nsys.log"};
}

// The reports that nsys left, imported if need be.
Result<std::vector<std::string>> CollectReports(pipeline::StageContext& context) {
  RIDGELINE_TRY(const auto streams, FilesEndingIn(context.place().directory, ".qdstrm"));
  if (!streams.empty()) {
    RIDGELINE_TRY(const fs::path nsys, os::FindProgram("nsys"));
    const hardware::NsysImporter importer = hardware::FindNsysImporter(nsys);
    if (!importer.elsewhere) {
      return Error(ErrorCode::kTool,
                   "nsys left only its raw stream, because its importer is missing; "
                   "install the whole of nsight-systems (ridgeline doctor)");
    }
    RIDGELINE_RETURN_IF_ERROR(ImportStreams(context, *importer.elsewhere));
  }
  return FilesEndingIn(context.place().directory, ".nsys-rep");
}

}  // namespace

bool NsysOptions::IsGated() const {
  return capture_range != "none" && !capture_range.empty() &&
         (capture_range != "nvtx" || gating_nvtx);
}

bool NsysOptions::EndsTheProgram() const {
  return IsGated() && capture_range_end.find("shutdown") != std::string::npos;
}

os::Command BuildNsysCommand(const NsysOptions& options, const os::Command& workload,
                             const fs::path& report_base) {
  os::Command command = workload;
  std::vector<std::string> argv = {"nsys", "profile"};
  const auto add = [&argv](std::string_view flag, const std::string& value) {
    if (!value.empty()) argv.push_back(std::string(flag) + value);
  };
  const auto join = [](const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ","));
  };
  add("--trace=", join(options.trace));
  // Always said: left out, nsys samples the whole process tree.
  add("--sample=", options.sample);
  add("--cpuctxsw=", options.cpuctxsw);
  if (options.IsGated()) {
    add("--capture-range=", options.capture_range);
    if (options.WaitsForNvtx()) {
      add("--nvtx-capture=", options.nvtx_capture);
      // Ranges of most programs are plain strings, which nsys passes over by default.
      add("--env-var=", "NSYS_NVTX_PROFILER_REGISTER_ONLY=0");
    }
    // nsys' own default ends the program together with the range.
    add("--capture-range-end=",
        options.capture_range_end.empty() ? "stop" : options.capture_range_end);
  }
  add("--nvtx-domain-include=", join(options.nvtx_domain_include));
  add("--nvtx-domain-exclude=", join(options.nvtx_domain_exclude));
  add("--cuda-graph-trace=", options.cuda_graph_trace);
  add("--gpu-metrics-device=", join(options.gpu_metrics));
  argv.push_back(fmt::format("--force-overwrite={}", options.force_overwrite));
  argv.insert(argv.end(), options.extra_args.begin(), options.extra_args.end());
  argv.insert(argv.end(), {"-o", report_base.string()});
  argv.insert(argv.end(), workload.argv.begin(), workload.argv.end());
  command.argv = std::move(argv);
  return command;
}

pipeline::StagePlan Nsys::Plan(const pipeline::StagePlace& place) const {
  pipeline::StagePlan plan;
  plan.tools = {"nsys"};
  plan.writes = {"run*.nsys-rep", "cmd.txt", "nsys.log"};
  if (options_.WaitsForNvtx() && options_.nvtx_dry_run) {
    PlanNvtxDryRun(place, "nsys", plan);
  }
  plan.commands.push_back({.purpose = "nsys profile",
                           .command = BuildNsysCommand(
                               options_,
                               place.workload.AsCommand({place.workload_scratch,
                                                         place.workload_scratch, "nsys"}),
                               place.directory / kReportBase),
                           .log = "nsys.log",
                           .output = {},
                           .command_file = "cmd.txt"});
  if (options_.IsGated() && options_.capture_range_end.empty()) {
    plan.assumptions.push_back(
        "capture_range_end is not set: `stop` is passed, because nsys by itself would "
        "end the program with the range");
  }
  if (options_.capture_range == "nvtx" && !options_.gating_nvtx) {
    plan.assumptions.push_back(
        "gating_nvtx is false: capture_range=nvtx is ignored and the whole run captured");
  }
  return plan;
}

pipeline::StageOutcome Nsys::Run(pipeline::StageContext& context) {
  Status found = CheckNvtxCapture(context, options_.nvtx_capture);
  if (!found.ok()) return std::move(found).error();
  Status prepared = context.PrepareWorkload();
  if (!prepared.ok()) return std::move(prepared).error();
  const pipeline::PlannedCommand& profile = context.plan().commands.back();
  Result<os::ProcessResult> ran = context.Run(profile);
  if (!ran.ok()) return std::move(ran).error();
  const bool as_asked =
      options_.EndsTheProgram() && ran.value().exit_code == kEndedByNsys;
  if (!as_asked) {
    Status ended = context.CheckEnd(profile, ran.value());
    if (!ended.ok()) return std::move(ended).error();
  }
  Result<std::vector<std::string>> reports = CollectReports(context);
  if (!reports.ok()) return std::move(reports).error();
  if (reports.value().empty()) return NoReport(options_);
  return pipeline::Done{fmt::format("{}", fmt::join(reports.value(), ", "))};
}

config::Result<std::unique_ptr<pipeline::Stage>> MakeNsys(
    const pipeline::StageConfig& config) {
  NsysOptions options;
  config::Reader reader(config.workspace, config.section);
  const auto text = [&reader](std::string_view key, std::string& target) {
    std::optional<std::string> value;
    reader.ReadOptional(key, value);
    if (value) target = *value;
  };
  const auto list = [&](std::string_view key, std::vector<std::string>& target) {
    target = pipeline::ReadTextList(reader, config.workspace, key);
  };
  list("trace", options.trace);
  text("sample", options.sample);
  text("cpuctxsw", options.cpuctxsw);
  reader.ReadOptional("gating_nvtx", options.gating_nvtx);
  reader.ReadOptional("nvtx_dry_run", options.nvtx_dry_run);
  text("capture_range", options.capture_range);
  text("capture_range_end", options.capture_range_end);
  text("nvtx_capture", options.nvtx_capture);
  list("nvtx_domain_include", options.nvtx_domain_include);
  list("nvtx_domain_exclude", options.nvtx_domain_exclude);
  text("cuda_graph_trace", options.cuda_graph_trace);
  list("gpu_metrics", options.gpu_metrics);
  reader.ReadOptional("force_overwrite", options.force_overwrite);
  list("extra_args", options.extra_args);
  for (const char* key : {"enable", "timeout_s"}) reader.Ignore(key);
  RIDGELINE_RETURN_IF_ERROR(reader.Finish());
  return std::unique_ptr<pipeline::Stage>(std::make_unique<Nsys>(std::move(options)));
}

}  // namespace ridgeline::stages
