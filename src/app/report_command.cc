#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <set>
#include <utility>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/flags.h"
#include "os/files.h"
#include "profiles/formats.h"
#include "runs/rebuild_reports.h"
#include "runs/run_reports.h"
#include "runs/sweep_reports.h"

namespace ridgeline::app {
namespace {

constexpr Flag kReportFlags[] = {
    {"--output", "-o", Flag::Takes::kValue, "DIR",
     "output directory for the reports of FILEs"},
    {"--force", "-f", Flag::Takes::kNothing, "",
     "replace a report of other profiles in that directory"},
    {"--metrics", "-m", Flag::Takes::kValue, "NAME,...",
     "metrics in the report of a sweep: names, or JSON pointers into metrics.json"},
    {"--help", "-h", Flag::Takes::kNothing, "", "show this help"}};

constexpr const char* kReportUsage =
    "ridgeline report SWEEP [--metrics NAME,...]\n"
    "  Rebuilds sweep.html, sweep.md, sweep.csv and sweep_report.json from the jobs of\n"
    "  a sweep, also while they run.\n"
    "ridgeline report RUN\n"
    "  Rebuilds report.html, report.md, stakeholder_summary.md, kernels.md,\n"
    "  metrics.json and results.sqlite from the artifacts in the run directory.\n"
    "ridgeline report FILE... -o DIR\n"
    "  Writes the same reports for existing profiles. Formats are detected by content,\n"
    "  also in gzip files:\n";

// Names of files in a report, shortened if unique.
std::vector<std::string> NamesOf(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  std::set<std::string> different;
  for (const std::string& file : files) {
    names.push_back(std::filesystem::path(file).filename().string());
    different.insert(names.back());
  }
  return different.size() == files.size() ? names : files;
}

// The directory must contain no report files, or a complete earlier report of ours.
Status CheckReportDirectory(const artifacts::RunDir& directory) {
  const std::filesystem::path reports[] = {
      directory.metrics_json(), directory.report_markdown(),
      directory.report_html(),  directory.kernels_markdown(),
      directory.results(),      directory.stakeholder_summary()};
  const auto exists = [](const std::filesystem::path& path) { return os::Exists(path); };
  const auto* const first = std::find_if(std::begin(reports), std::end(reports), exists);
  const bool is_ours = os::Exists(directory.metrics_json()) &&
                       os::Exists(directory.report_html()) &&
                       os::Exists(directory.results());
  if (first == std::end(reports) || is_ours) return Ok();
  return UsageError(
      first->string() +
      ": file exists and is not part of an earlier report (metrics.json, "
      "report.html and results.sqlite)\nhint: choose another directory with -o");
}

// Names of the sources of the report in a directory; empty: no report, or not readable.
std::set<std::string> SourcesOf(const artifacts::RunDir& directory) {
  std::set<std::string> sources;
  const Result<std::string> text = os::ReadFile(directory.metrics_json());
  if (!text.ok()) return sources;
  const nlohmann::json json = nlohmann::json::parse(text.value(), nullptr, false);
  if (!json.is_object() || !json.contains("sources")) return sources;
  for (const nlohmann::json& source : json["sources"]) {
    if (source.is_object()) sources.insert(source.value("file", ""));
  }
  return sources;
}

// A report may only be replaced by one of the same profiles.
Status CheckSameSources(const std::vector<std::string>& names,
                        const artifacts::RunDir& directory) {
  const std::set<std::string> earlier = SourcesOf(directory);
  if (earlier.empty() || earlier == std::set<std::string>(names.begin(), names.end())) {
    return Ok();
  }
  return UsageError(directory.root().string() + ": contains a report of " +
                    *earlier.begin() + (earlier.size() > 1 ? " and other profiles" : "") +
                    "\nhint: choose another directory with -o, or replace it with "
                    "--force");
}

struct ReportRequest {
  std::vector<std::string> files;
  bool is_forced = false;
};

Result<std::string> ReportFiles(const ReportRequest& request,
                                const artifacts::RunDir& directory) {
  const std::vector<std::string>& files = request.files;
  if (os::Exists(directory.manifest())) {
    return UsageError(directory.root().string() +
                      " is a run directory\nhint: choose another directory with -o");
  }
  RIDGELINE_RETURN_IF_ERROR(CheckReportDirectory(directory));
  const std::vector<std::string> names = NamesOf(files);
  if (!request.is_forced) {
    RIDGELINE_RETURN_IF_ERROR(CheckSameSources(names, directory));
  }
  runs::Collected collected;
  for (size_t i = 0; i < files.size(); ++i) {
    RIDGELINE_TRY(analysis::AnalyzedProfile profile, runs::ReadProfile(files[i]));
    runs::AddProfile(std::move(profile),
                     {names[i], report::kMaxTimelineBlocks / files.size()}, collected);
  }
  return runs::WriteImportReports(std::move(collected), directory);
}

Result<runs::RebuiltReports> Report(const ParsedFlags& flags,
                                    artifacts::RunDir& directory) {
  const std::vector<std::string>& words = flags.words;
  if (flags.Has("--output")) {
    if (words.empty()) return UsageError("report -o needs at least one profile FILE");
    directory = artifacts::RunDir(flags.Get("--output"));
    RIDGELINE_TRY(std::string summary,
                  ReportFiles({words, flags.Has("--force")}, directory));
    return runs::RebuiltReports{std::move(summary), {}};
  }
  if (words.size() != 1) {
    return UsageError(words.empty()
                          ? "report needs a run directory, or profiles and -o DIR"
                          : "report takes one run directory\nhint: reports of "
                            "profiles need -o DIR");
  }
  RIDGELINE_TRY(const std::filesystem::path root, os::RealPath(words[0]));
  if (!os::IsDirectory(root)) {
    return UsageError(words[0] +
                      " is a file, not a run directory\nhint: ridgeline report " +
                      words[0] + " -o DIR writes the report of a profile to DIR");
  }
  directory = artifacts::RunDir(root);
  return runs::RebuildReports(directory);
}

// "a,b": names without surrounding blanks.
std::vector<std::string> NamesIn(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    std::string_view name = list.substr(0, comma);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

// nullopt: not a sweep directory.
std::optional<ExitStatus> ReportSweepDirectory(const ParsedFlags& flags,
                                               const Streams& streams) {
  const bool is_sweep =
      flags.words.size() == 1 && !flags.Has("--output") && runs::IsSweep(flags.words[0]);
  if (!is_sweep) {
    if (!flags.Has("--metrics")) return std::nullopt;
    return Fail(streams,
                UsageError("--metrics is for the directory of a sweep, which has "
                           "a sweep.json"));
  }
  const std::vector<std::string> metrics = flags.Has("--metrics")
                                               ? NamesIn(flags.Get("--metrics"))
                                               : std::vector<std::string>();
  const Result<report::SweepDocument> sweep =
      runs::WriteSweepReports(flags.words[0], metrics);
  if (!sweep.ok()) return Fail(streams, sweep.error());
  for (const std::string& note : sweep.value().notes) {
    streams.err << "ridgeline: warning: " << note << '\n';
  }
  streams.err << report::ToTerminal(sweep.value());
  streams.out << (std::filesystem::path(sweep.value().directory) / "sweep.html").string()
              << '\n';
  return ExitStatus::kDone;
}

}  // namespace

ExitStatus ReportCommand(std::span<const std::string> arguments, const Streams& streams) {
  const Result<ParsedFlags> flags = ParseFlags(kReportFlags, arguments);
  if (!flags.ok()) return Fail(streams, flags.error());
  if (flags.value().Has("--help")) {
    streams.out << kReportUsage << profiles::FormatsHelp("    ")
                << FlagsHelp(kReportFlags);
    return ExitStatus::kDone;
  }
  if (const auto status = ReportSweepDirectory(flags.value(), streams)) return *status;
  artifacts::RunDir directory("");
  const Result<runs::RebuiltReports> reports = Report(flags.value(), directory);
  if (!reports.ok()) return Fail(streams, reports.error());
  for (const std::string& warning : reports.value().warnings) {
    streams.err << "ridgeline: warning: " << warning << '\n';
  }
  streams.err << reports.value().summary;
  streams.out << directory.report_html().string() << '\n';
  return ExitStatus::kDone;
}

}  // namespace ridgeline::app
