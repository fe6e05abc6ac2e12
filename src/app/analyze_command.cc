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
#include "app/output_file.h"
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

// Of the JSON written by this command.
constexpr int kAnalysisSchemaVersion = 2;

struct Analysis {
  runs::NcuDirectory directory;
  analysis::NcuFindings findings;
};

Result<Analysis> Analyze(const AnalyzeOptions& options) {
  Analysis analysis;
  RIDGELINE_TRY(analysis.directory, runs::ReadNcuDirectory(options.path));
  analysis::NcuQuestion question = {.rule = options.rule,
                                    .thresholds = options.thresholds,
                                    .lookup = analysis::GpuLookup::kTable};
  if (!options.gpu.empty()) {
    auto ceiling = hardware::FindGpuSpec(options.gpu, hardware::GpuSpecs());
    if (!ceiling.ok()) return std::move(ceiling).error().While("flag --gpu");
    question.device = analysis::NcuDeviceOf(*ceiling.value());
  }
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
    launch.update(NcuLaunchJson(rows, i, analysis.findings));
    launches.push_back(std::move(launch));
  }
  Json json = {{"schema_version", kAnalysisSchemaVersion},
               {"command", "analyze"},
               {"class_rule", NameOf(options.rule)}};
  json.update(NcuTotalsJson(analysis.findings));
  json["launches"] = std::move(launches);
  json["dropped"] = DroppedJson(rows.left_out);
  return json;
}

struct AnalysisFile {
  std::string path;
  std::string bytes;
  std::string marker;
};

// All requested files.
std::vector<AnalysisFile> FilesOf(const Analysis& analysis,
                                  const AnalyzeOptions& options) {
  const NcuTableInput tables = {analysis.directory.rows, analysis.findings,
                                analysis.directory.groups};
  std::vector<AnalysisFile> files;
  const auto add = [&files](const std::string& path, const auto& make) {
    if (path.empty()) return;
    std::string bytes = make();
    std::string marker(FirstLine(bytes));
    files.push_back({path, std::move(bytes), std::move(marker)});
  };
  add(options.json, [&] { return DumpJson(AnalysisJson(analysis, options), 2) + "\n"; });
  if (!files.empty()) files.back().marker = "\"command\": \"analyze\"";
  add(options.csv, [&] { return NcuKernelsCsv(tables); });
  add(options.metrics_csv, [&] { return NcuMetricsCsv(tables); });
  add(options.roofline_csv, [&] { return NcuRooflineCsv(tables); });
  if (options.svg_dir.empty()) return files;
  for (const report::PlotFile& plot : report::NcuPlots(analysis.findings)) {
    add((fs::path(options.svg_dir) / plot.name).string(), [&] { return plot.svg; });
  }
  return files;
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

bool CanWritePng(const AnalyzeOptions& options, std::ostream& talk) {
  if (!options.has_png) return false;
  if (os::FindProgram("rsvg-convert").ok()) return true;
  talk << "ridgeline: warning: no PNG: rsvg-convert not found (package "
          "librsvg2-bin)\n";
  return false;
}

// Checks every file before writing the first one, so that a refusal leaves all of the
// user's files untouched.
Status WriteAll(const Analysis& analysis, const AnalyzeOptions& options,
                std::ostream& talk) {
  const std::vector<AnalysisFile> files = FilesOf(analysis, options);
  const std::span<const std::string> inputs(&options.path, 1);
  for (const AnalysisFile& file : files) {
    RIDGELINE_RETURN_IF_ERROR(CheckOutput({file.path, file.marker, inputs}));
  }
  const bool has_png = CanWritePng(options, talk);
  for (const AnalysisFile& file : files) {
    const fs::path path = file.path;
    if (!path.parent_path().empty()) {
      RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(path.parent_path()));
    }
    RIDGELINE_RETURN_IF_ERROR(WriteOutput({file.path, file.marker, inputs}, file.bytes));
    if (has_png && path.extension() == ".svg") {
      RIDGELINE_RETURN_IF_ERROR(WritePng(path, talk));
    }
  }
  return Ok();
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
    return ExitStatus::kUsage;  // Same as `import`.
  }
  for (const std::string& problem : analysis.value().directory.problems) {
    streams.err << "ridgeline: warning: skipped: " << problem << '\n';
  }
  const Status written = WriteAll(analysis.value(), options.value(), streams.err);
  if (!written.ok()) return Fail(streams, written.error());
  streams.out << NcuSummaryText(analysis.value().directory, analysis.value().findings,
                                options.value());
  return ExitStatus::kDone;
}

}  // namespace ridgeline::app
