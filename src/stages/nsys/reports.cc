#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "hardware/tools.h"
#include "os/files.h"
#include "profiles/nsys_sqlite/contents.h"
#include "stages/nsys/command.h"
#include "stages/nsys/log.h"
#include "stages/nsys/nsys.h"

namespace ridgeline::stages {
namespace {

namespace fs = std::filesystem;

// .nsys-rep was called .qdrep until 2021.
constexpr std::string_view kReportEndings[] = {".nsys-rep", ".qdrep"};
constexpr std::string_view kStreamEnding = ".qdstrm";

bool IsReport(std::string_view name) {
  return std::any_of(std::begin(kReportEndings), std::end(kReportEndings),
                     [name](std::string_view ending) { return name.ends_with(ending); });
}

// For "run": "run.nsys-rep" and "run.1.nsys-rep", but not "runaway.nsys-rep".
bool BelongsTo(std::string_view name, const std::string& base) {
  return name.starts_with(base + ".");
}

template <typename Wanted>
Result<std::vector<std::string>> FilesOf(const pipeline::StageContext& context,
                                         Wanted wanted) {
  RIDGELINE_TRY(const auto entries, os::ListDirectory(context.place().directory));
  std::vector<std::string> names;
  for (const os::DirectoryEntry& entry : entries) {
    if (wanted(entry.name)) names.push_back(entry.name);
  }
  return names;
}

bool IsRaw(std::string_view name) {
  return IsReport(name) || name.ends_with(kStreamEnding);
}

Result<std::vector<std::string>> ReportsAndStreams(const pipeline::StageContext& context,
                                                   const std::string& base) {
  return FilesOf(context, [&base](std::string_view name) {
    return BelongsTo(name, base) && IsRaw(name);
  });
}

// The number of one of several reports: "" for run.sqlite, ".1" for run.1.sqlite.
std::string SuffixOf(const fs::path& path) {
  const std::string stem = path.stem().string();
  return stem.substr(std::min(std::string_view("run").size(), stem.size()));
}

Error ImporterMissing(const std::string& stream) {
  return {ErrorCode::kTool,
          fmt::format("ImporterMissing: nsys wrote only the raw stream nsys/{}, because "
                      "QdstrmImporter was not found; install the full nsight-systems "
                      "package (see `ridgeline doctor`), or import the stream on another "
                      "machine: QdstrmImporter --input-file {}",
                      stream, stream)};
}

Status ImportStream(pipeline::StageContext& context, const fs::path& importer,
                    const std::string& stream) {
  const fs::path path = context.place().directory / stream;
  fs::path report = path;
  report.replace_extension(".nsys-rep");
  const std::string suffix = SuffixOf(report);
  if (os::Exists(report)) {
    context.Note(
        fmt::format("StaleReport: nsys/{} existed before the capture; kept as stale_{}",
                    report.filename().string(), report.filename().string()));
    RIDGELINE_RETURN_IF_ERROR(context.owned().Move(
        report, report.parent_path() / ("stale_" + report.filename().string())));
  }
  const pipeline::PlannedCommand import = {
      .purpose = "nsys importer",
      .command = {.argv = {importer.string(), "--input-file", path.string(),
                           "--output-file", report.string()},
                  .environment = {},
                  .directory = {}},
      .log = "importer" + suffix + ".log",
      .output = {},
      .command_file = "cmd_import" + suffix + ".txt"};
  RIDGELINE_TRY(const os::ProcessResult ran, context.Run(import));
  RIDGELINE_RETURN_IF_ERROR(context.CheckEnd(import, ran));
  return context.owned().Remove(path);
}

// nsys stats always exits with 0, and writes empty files for reports without data.
Status CollectSummaries(pipeline::StageContext& context, const fs::path& base,
                        const std::vector<NsysSummary>& summaries,
                        const NsysStatsLog& log) {
  std::vector<std::string> failed;
  for (const NsysSummary& summary : summaries) {
    const fs::path written = base.string() + "_" + summary.report + ".csv";
    const fs::path wanted = base.string() + "_" + summary.name + ".csv";
    const Result<int64_t> size = os::FileSize(written);
    if (size.ok() && size.value() > 0) {
      if (written != wanted)
        RIDGELINE_RETURN_IF_ERROR(context.owned().Move(written, wanted));
      continue;
    }
    RIDGELINE_RETURN_IF_ERROR(context.owned().Remove(written));
    // Without data, osrt_sum exits without a message.
    const bool has_no_data =
        summary.name == "osrt_sum" ||
        std::find(log.empty.begin(), log.empty.end(), summary.report) != log.empty.end();
    if (!has_no_data) failed.push_back(summary.report);
  }
  if (!failed.empty()) {
    context.Note(
        fmt::format("SummaryFailed: no output of nsys stats for {}; see nsys/stats.log",
                    fmt::join(failed, ", ")));
  }
  if (!log.unknown.empty()) {
    context.Note(fmt::format("ReportNameUnknown: nsys stats has no report named {}",
                             fmt::join(log.unknown, ", ")));
  }
  return Ok();
}

Status WriteSummaries(pipeline::StageContext& context,
                      const profiles::NsysContents& contents, const NsysFacts& facts,
                      const fs::path& sqlite, const std::string& suffix) {
  std::vector<NsysSummary> summaries = NsysSummaries(facts);
  if (contents.os_calls == 0) {
    std::erase_if(summaries, [](const NsysSummary& s) { return s.name == "osrt_sum"; });
  }
  if (summaries.empty()) {
    context.Note(
        "ReportNameUnknown: this nsys does not list its stats reports; no summary_*.csv "
        "was written");
    return Ok();
  }
  const fs::path base = context.place().directory / ("summary" + suffix);
  const pipeline::PlannedCommand stats = {
      .purpose = "nsys stats",
      .command = BuildNsysStats(sqlite, summaries, base),
      .log = "stats" + suffix + ".log",
      .output = {},
      .command_file = "cmd_stats" + suffix + ".txt"};
  RIDGELINE_TRY(const os::ProcessResult ran, context.Run(stats));
  if (!ran.ok()) {
    context.Note("SummaryFailed: " + context.CheckEnd(stats, ran).error().message());
    return Ok();
  }
  RIDGELINE_TRY(const std::string log,
                os::ReadFile(context.place().directory / stats.log));
  return CollectSummaries(context, base, summaries, ParseNsysStatsLog(log));
}

// An export that cannot be read or redacted is removed: it may contain the environment,
// and the report has the same data.
Error RemoveExport(pipeline::StageContext& context, const fs::path& sqlite,
                   const std::string& suffix, const Error& error) {
  const Status removed = context.owned().Remove(sqlite);
  if (!removed.ok()) return removed.error();
  return {
      ErrorCode::kTool,
      fmt::format("nsys export wrote nsys/{}: {}; removed, because it may contain the "
                  "environment. The report is kept: repeat the export with "
                  "nsys/cmd_export{}.txt",
                  sqlite.filename().string(), error.message(), suffix)};
}

void NoteEnvironment(pipeline::StageContext& context, const std::string& report,
                     const profiles::Redaction& redaction) {
  if (redaction.values == 0) return;
  context.Note(fmt::format(
      "nsys/{} contains the process environment ({}; {}). Share {} instead: it "
      "is redacted",
      report, Plural(redaction.values, "variable"),
      redaction.secrets == 0 ? "none look secret"
                             : fmt::format("{} {} secret", redaction.secrets,
                                           redaction.secrets == 1 ? "looks" : "look"),
      fs::path(report).replace_extension(".sqlite").string()));
}

}  // namespace

Status NoteRawFiles(pipeline::StageContext& context) {
  RIDGELINE_TRY(const auto files, FilesOf(context, IsRaw));
  if (files.empty()) return Ok();
  std::vector<std::string> paths;
  for (const std::string& file : files) paths.push_back("nsys/" + file);
  context.Note(fmt::format("{} contain{} the process environment: do not share",
                           fmt::join(paths, ", "), files.size() == 1 ? "s" : ""));
  return Ok();
}

Status CountReports(const pipeline::StageContext& context, const std::string& base,
                    NsysEnd& end) {
  RIDGELINE_TRY(const auto files, ReportsAndStreams(context, base));
  end.files = files.size();
  for (const std::string& file : files) {
    RIDGELINE_TRY(const int64_t bytes, os::FileSize(context.place().directory / file));
    if (bytes == 0) ++end.empty_files;
  }
  return Ok();
}

Status RemoveReports(pipeline::StageContext& context, const std::string& base) {
  RIDGELINE_TRY(const auto files, ReportsAndStreams(context, base));
  for (const std::string& file : files) {
    RIDGELINE_RETURN_IF_ERROR(context.owned().Remove(context.place().directory / file));
  }
  return Ok();
}

Result<std::vector<std::string>> MakeReports(pipeline::StageContext& context,
                                             const std::string& base) {
  RIDGELINE_TRY(const auto streams, FilesOf(context, [&base](std::string_view name) {
                  return BelongsTo(name, base) && name.ends_with(kStreamEnding);
                }));
  if (!streams.empty()) {
    RIDGELINE_TRY(const fs::path nsys, os::FindProgram("nsys"));
    const hardware::NsysImporter importer = hardware::FindNsysImporter(nsys);
    if (!importer.elsewhere) return ImporterMissing(streams.front());
    for (const std::string& stream : streams) {
      RIDGELINE_RETURN_IF_ERROR(ImportStream(context, *importer.elsewhere, stream));
    }
  }
  return FilesOf(context, [&base](std::string_view name) {
    return BelongsTo(name, base) && IsReport(name);
  });
}

Result<profiles::NsysContents> ExportReport(pipeline::StageContext& context,
                                            const NsysOptions& options,
                                            const NsysFacts& facts,
                                            const std::string& report) {
  const fs::path& directory = context.place().directory;
  const fs::path sqlite = fs::path(directory / report).replace_extension(".sqlite");
  const std::string suffix = SuffixOf(sqlite);
  const pipeline::PlannedCommand exported = {
      .purpose = "nsys export",
      .command = BuildNsysExport(directory / report, sqlite),
      .log = "export" + suffix + ".log",
      .output = {},
      .command_file = "cmd_export" + suffix + ".txt"};
  RIDGELINE_TRY(const os::ProcessResult ran, context.Run(exported));
  RIDGELINE_RETURN_IF_ERROR(context.CheckEnd(exported, ran));
  // Checked before use: SQLite takes an empty file for an empty database.
  Result<profiles::NsysContents> contents = profiles::ContentsOfNsysExport(sqlite);
  if (!contents.ok()) return RemoveExport(context, sqlite, suffix, contents.error());
  if (options.redact_env) {
    const Result<profiles::Redaction> redaction = profiles::RedactNsysExport(sqlite);
    if (!redaction.ok()) return RemoveExport(context, sqlite, suffix, redaction.error());
    NoteEnvironment(context, report, redaction.value());
  } else {
    context.Note(fmt::format(
        "redact_env is false: nsys/{} and its .sqlite contain the process environment",
        report));
  }
  RIDGELINE_RETURN_IF_ERROR(
      WriteSummaries(context, contents.value(), facts, sqlite, suffix));
  return contents;
}

}  // namespace ridgeline::stages
