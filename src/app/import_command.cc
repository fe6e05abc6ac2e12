#include <algorithm>
#include <charconv>
#include <ostream>
#include <utility>
#include <vector>

#include "analysis/analyze.h"
#include "app/command_support.h"
#include "app/commands.h"
#include "app/flags.h"
#include "app/output_file.h"
#include "app/secrets_warning.h"
#include "artifacts/run_dir.h"
#include "base/version.h"
#include "os/files.h"
#include "profiles/formats.h"
#include "report/printers/printers.h"
#include "report/report.h"
#include "results/result_store.h"
#include "runs/run_reports.h"

namespace ridgeline::app {
namespace {

std::span<const Flag> ImportFlags() {
  static const std::vector<Flag> flags = {
      {"--output", "-o", Flag::Takes::kValue, "FILE",
       "also write all rows to this SQLite file"},
      {"--events", "", Flag::Takes::kNothing, "",
       "with -o: also one row per kernel, copy and memset"},
      {"--top", "", Flag::Takes::kValue, "N",
       "number of rows per list (default: 10); JSON has more"},
      {"--json", "", Flag::Takes::kNothing, "",
       "print JSON: metrics.json of `ridgeline report FILE...`"},
      {"--help", "-h", Flag::Takes::kNothing, "", "show this help"},
  };
  return flags;
}

void PrintImportUsage(std::ostream& out) {
  out << "ridgeline import FILE... [flags]\n"
         "  Summarizes profiles: kernels, GPU utilization, launch latency, operators, "
         "NVTX\n"
         "  regions. Formats are detected by content, also in gzip files:\n";
  out << profiles::FormatsHelp("    ");
  out << FlagsHelp(ImportFlags());
}

struct ImportOptions {
  std::vector<std::string> files;
  std::string output;  // Empty: none.
  size_t most_events = 0;
  size_t top = 10;
  bool is_json = false;
};

Result<ImportOptions> ImportOptionsOf(const ParsedFlags& flags) {
  ImportOptions options = {.files = flags.words, .is_json = flags.Has("--json")};
  if (options.files.empty()) return UsageError("import: missing FILE (a profile)");
  for (auto file = options.files.begin(); file != options.files.end(); ++file) {
    const auto same = std::find_if(
        options.files.begin(), file,
        [file](const auto& other) { return other == *file || IsSameFile(other, *file); });
    if (same == file) continue;
    return UsageError("import: " + *file + " is given twice" +
                      (*same == *file ? "" : ", also as " + *same));
  }
  options.output = flags.Get("--output");
  if (flags.Has("--output") && options.output.empty()) {
    return UsageError("flag --output needs a file name");
  }
  if (flags.Has("--events")) {
    if (options.output.empty()) return UsageError("flag --events needs -o FILE");
    options.most_events = analysis::kAllEvents;
  }
  if (flags.Has("--top") && options.is_json) {
    return UsageError(
        "flag --top limits lists in text output and cannot be combined with --json");
  }
  if (flags.Has("--top")) {
    const std::string text = flags.Get("--top");
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, options.top);
    if (parsed.ec != std::errc() || parsed.ptr != end || options.top == 0) {
      return UsageError("flag --top: expected an integer >= 1, got '" + text + "'");
    }
  }
  return options;
}

// Results of all files; printed only if all could be read.
struct Imported {
  runs::Collected collected;
  std::string warnings;
};

// Suggests how to read the contents of a directory.
Error NotAFile(const std::string& directory) {
  const bool is_run = os::Exists(artifacts::RunDir(directory).manifest());
  return UsageError(
      directory + ": is a directory, expected a profile\nhint: " +
      (is_run ? "it is a run; `ridgeline report " + directory + "` rebuilds its reports"
              : "name the files in it, or use `ridgeline analyze " + directory +
                    "` for the output of ncu-kernels"));
}

// nsys stats writes one CSV per report; only one of them has kernels.
std::string CsvHint(const std::string& file) {
  if (!file.ends_with("sum.csv")) return "";
  return "\nhint: of the CSV files of `nsys stats`, import reads cuda_gpu_kern_sum "
         "(gpukernsum); the SQLite export has everything: `nsys export --type sqlite`";
}

Status ImportOne(const std::string& file, const ImportOptions& options,
                 Imported& imported) {
  if (os::IsDirectory(file)) return NotAFile(file);
  Result<profiles::Profile> opened = profiles::OpenProfile(file);
  if (!opened.ok()) {
    return Error(opened.error().code(), opened.error().message() + CsvHint(file));
  }
  profiles::Profile profile = std::move(opened).value();
  const std::string warning = SecretsWarning(profile.info);
  if (!warning.empty()) imported.warnings += "ridgeline: warning: " + warning + "\n";
  RIDGELINE_TRY(analysis::AnalyzedProfile analyzed,
                analysis::Analyze(std::move(profile)));
  runs::AddProfile(std::move(analyzed),
                   {.name = file, .most_events = options.most_events},
                   imported.collected);
  return Ok();
}

Status Import(const ImportOptions& options, Imported& imported) {
  for (const std::string& file : options.files) {
    RIDGELINE_RETURN_IF_ERROR(ImportOne(file, options, imported));
  }
  return Ok();
}

OutputFile OutputOf(const ImportOptions& options) {
  return {options.output, results::kResultsMarker, options.files};
}

// Checked before reading anything: an import may take long.
Status CheckOutputOf(const ImportOptions& options) {
  if (options.output.empty()) return Ok();
  const std::filesystem::path path = options.output;
  if (os::Exists(artifacts::RunDir(path.parent_path()).manifest())) {
    return UsageError(options.output +
                      ": belongs to a run directory\nhint: choose another output file");
  }
  return CheckOutput(OutputOf(options));
}

Status Save(const results::ResultStore& store, const ImportOptions& options) {
  Result<std::string> bytes =
      results::ToSqlite(store, "ridgeline " + std::string(Version()));
  if (!bytes.ok()) return std::move(bytes).error().While(options.output);
  return WriteOutput(OutputOf(options), bytes.value());
}

}  // namespace

ExitStatus ImportCommand(std::span<const std::string> arguments, const Streams& streams) {
  Result<ParsedFlags> flags = ParseFlags(ImportFlags(), arguments);
  if (!flags.ok()) return Fail(streams, flags.error());
  if (flags.value().Has("--help")) {
    PrintImportUsage(streams.out);
    return ExitStatus::kDone;
  }
  Result<ImportOptions> options = ImportOptionsOf(flags.value());
  if (!options.ok()) return Fail(streams, options.error());
  const Status checked = CheckOutputOf(options.value());
  if (!checked.ok()) return Fail(streams, checked.error());
  Imported imported;
  if (const Status read = Import(options.value(), imported); !read.ok()) {
    Fail(streams, read.error());
    return ExitStatus::kUsage;  // Also for unreadable files.
  }
  const report::RunFacts facts = runs::ImportFacts(std::move(imported.collected));
  if (!options.value().output.empty()) {
    const Status saved = Save(facts.store, options.value());
    if (!saved.ok()) return Fail(streams, saved.error());
  }
  const report::Document document = report::MakeReport(facts);
  streams.err << imported.warnings;
  streams.out << (options.value().is_json
                      ? report::ToJson(document)
                      : report::ProfilesText(document, options.value().top));
  return ExitStatus::kDone;
}

}  // namespace ridgeline::app
