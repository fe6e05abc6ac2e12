#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>
#include <vector>

#include "analysis/ncu_device.h"
#include "app/analyze/analyze_options.h"
#include "app/analyze/ncu_json.h"
#include "app/analyze/ncu_summary.h"
#include "app/command_support.h"
#include "app/commands.h"
#include "app/flags.h"
#include "base/json.h"
#include "hardware/ceilings.h"
#include "os/command.h"
#include "os/files.h"
#include "os/process_runner.h"
#include "report/svg/ncu_plots.h"
#include "runs/ncu_directory.h"

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Of the JSON that this command writes.
constexpr int kAnalysisSchemaVersion = 2;

struct Analysis {
  runs::NcuDirectory directory;
  analysis::NcuDevice device;
  analysis::NcuFindings findings;
};

Result<Analysis> Analyze(const AnalyzeOptions& options) {
  Analysis analysis;
  RIDGELINE_TRY(analysis.directory, runs::ReadNcuDirectory(options.path));
  if (options.gpu.empty()) {
    analysis.device = analysis::NcuDeviceOf(analysis.directory.rows);
  } else {
    auto ceiling = hardware::FindCeiling(options.gpu, hardware::Ceilings());
    if (!ceiling.ok()) return std::move(ceiling).error().While("flag --gpu");
    analysis.device = analysis::NcuDeviceOf(*ceiling.value());
  }
  analysis::NcuQuestion question = {.rule = options.rule,
                                    .thresholds = options.thresholds,
                                    .fallback = analysis.device.roofs};
  if (options.peak_tflops) {
    question.given.flops_per_s[analysis::NcuPrecision::kTensor] =
        *options.peak_tflops * 1e12;
  }
  if (options.peak_gbps) {
    question.given.Of(analysis::MemoryLevel::kDram) = *options.peak_gbps * 1e9;
  }
  analysis.findings = analysis::FindingsOf(analysis.directory.rows, question);
  return analysis;
}

Json AnalysisJson(const Analysis& analysis, const AnalyzeOptions& options) {
  const results::NcuRows& rows = analysis.directory.rows;
  Json launches = Json::array();
  for (size_t i = 0; i < rows.launches.size(); ++i) {
    Json launch = {{"group", analysis.directory.groups[i]}};
    launch.update(NcuLaunchJson(rows, rows.launches[i], analysis.findings.launches[i]));
    launches.push_back(std::move(launch));
  }
  Json json = {
      {"schema_version", kAnalysisSchemaVersion},
      {"command", "analyze"},
      {"class_rule", NameOf(options.rule)},
      {"gpu", analysis.device.name.empty() ? Json() : Json(analysis.device.name)}};
  json.update(NcuTotalsJson(analysis.findings));
  json["launches"] = std::move(launches);
  json["dropped"] = DroppedJson(rows.left_out);
  return json;
}

Status WriteTo(const std::string& path, const std::string& bytes) {
  if (path.empty()) return Ok();
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty()) RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(parent));
  return os::WriteFileAtomically(path, bytes);
}

// Warns if rsvg-convert fails.
Status WritePng(const fs::path& svg, std::ostream& talk) {
  os::Command command = {.argv = {"rsvg-convert", "--output",
                                  fs::path(svg).replace_extension(".png").string(),
                                  svg.string()}};
  os::SystemProcessRunner processes;
  constexpr double kPatienceS = 60;
  Result<os::ProcessResult> ran = processes.Run(command, {.timeout_s = kPatienceS});
  if (!ran.ok()) return std::move(ran).error();
  if (!ran.value().ok()) {
    talk << "ridgeline: warning: " << svg.string()
         << ": rsvg-convert: " << os::Describe(ran.value()) << '\n';
  }
  return Ok();
}

Status WritePlots(const Analysis& analysis, const AnalyzeOptions& options,
                  std::ostream& talk) {
  if (options.svg_dir.empty()) return Ok();
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(options.svg_dir));
  bool has_png = options.has_png;
  if (has_png && !os::FindProgram("rsvg-convert").ok()) {
    talk << "ridgeline: warning: no PNG: rsvg-convert not found (package "
            "librsvg2-bin)\n";
    has_png = false;
  }
  for (const report::PlotFile& plot :
       report::NcuPlots(analysis.findings, analysis.device.name)) {
    const fs::path path = fs::path(options.svg_dir) / plot.name;
    RIDGELINE_RETURN_IF_ERROR(os::WriteFileAtomically(path, plot.svg));
    if (has_png) RIDGELINE_RETURN_IF_ERROR(WritePng(path, talk));
  }
  return Ok();
}

Status WriteAll(const Analysis& analysis, const AnalyzeOptions& options,
                std::ostream& talk) {
  const NcuTableInput tables = {analysis.directory.rows, analysis.findings,
                                analysis.directory.groups};
  if (!options.json.empty()) {
    const Json json = AnalysisJson(analysis, options);
    RIDGELINE_RETURN_IF_ERROR(WriteTo(options.json, DumpJson(json, 2) + "\n"));
  }
  if (!options.csv.empty()) {
    RIDGELINE_RETURN_IF_ERROR(WriteTo(options.csv, NcuKernelsCsv(tables)));
  }
  if (!options.metrics_csv.empty()) {
    RIDGELINE_RETURN_IF_ERROR(WriteTo(options.metrics_csv, NcuMetricsCsv(tables)));
  }
  if (!options.roofline_csv.empty()) {
    RIDGELINE_RETURN_IF_ERROR(WriteTo(options.roofline_csv, NcuRooflineCsv(tables)));
  }
  return WritePlots(analysis, options, talk);
}

}  // namespace

ExitStatus AnalyzeCommand(std::span<const std::string> arguments,
                          const Streams& streams) {
  Result<ParsedFlags> flags = ParseFlags(AnalyzeFlags(), arguments);
  if (!flags.ok()) return Fail(streams, flags.error());
  if (flags.value().Has("--help")) {
    PrintAnalyzeUsage(streams.out);
    return ExitStatus::kDone;
  }
  Result<AnalyzeOptions> options = AnalyzeOptionsOf(flags.value());
  if (!options.ok()) return Fail(streams, options.error());
  Result<Analysis> analysis = Analyze(options.value());
  if (!analysis.ok()) {
    Fail(streams, analysis.error());
    return ExitStatus::kUsage;  // As for `import`.
  }
  for (const std::string& problem : analysis.value().directory.problems) {
    streams.err << "ridgeline: warning: skipped: " << problem << '\n';
  }
  const Status written = WriteAll(analysis.value(), options.value(), streams.err);
  if (!written.ok()) return Fail(streams, written.error());
  streams.out << NcuSummaryText(analysis.value().directory, analysis.value().findings,
                                analysis.value().device, options.value());
  return ExitStatus::kDone;
}

}  // namespace ridgeline::app
