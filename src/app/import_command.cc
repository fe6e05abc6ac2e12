#include <charconv>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>
#include <vector>

#include "analysis/analyze.h"
#include "app/command_support.h"
#include "app/commands.h"
#include "app/flags.h"
#include "base/json.h"
#include "base/version.h"
#include "os/files.h"
#include "profiles/formats.h"
#include "report/summaries/profile_json.h"
#include "report/summaries/profile_text.h"
#include "results/result_store.h"

namespace ridgeline::app {
namespace {

using Json = nlohmann::ordered_json;

// Of the JSON that this command prints.
constexpr int kImportSchemaVersion = 1;

std::span<const Flag> ImportFlags() {
  static const std::vector<Flag> flags = {
      {"--output", "-o", Flag::Takes::kValue, "also write all rows to this SQLite file"},
      {"--events", "", Flag::Takes::kNothing,
       "with -o: also one row per kernel, copy and fill"},
      {"--top", "", Flag::Takes::kValue,
       "number of kernels, operators and regions to list (10)"},
      {"--json", "", Flag::Takes::kNothing, "print JSON"},
      {"--help", "-h", Flag::Takes::kNothing, "show this help"},
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
  options.output = flags.Get("--output");
  if (flags.Has("--output") && options.output.empty()) {
    return UsageError("flag --output needs a file name");
  }
  if (flags.Has("--events")) {
    if (options.output.empty()) return UsageError("flag --events needs -o FILE");
    options.most_events = analysis::kAllEvents;
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
struct Findings {
  results::ResultStore store;
  std::string text;
  std::string warnings;
  Json json = Json::array();
};

void AddText(const std::string& text, Findings& findings) {
  if (!findings.text.empty()) findings.text += "\n";
  findings.text += text;
}

Status ImportOne(const std::string& file, const ImportOptions& options,
                 Findings& findings) {
  RIDGELINE_TRY(profiles::Profile profile, profiles::OpenProfile(file));
  const std::string warning = summaries::SecretsWarning(profile.info);
  if (!warning.empty()) findings.warnings += "ridgeline: warning: " + warning + "\n";
  RIDGELINE_TRY(const analysis::AnalyzedProfile analyzed,
                analysis::Analyze(std::move(profile)));
  if (options.is_json) {
    findings.json.push_back(summaries::ToJson(analyzed, options.top));
  } else {
    AddText(summaries::ToText(analyzed, options.top), findings);
  }
  if (options.output.empty()) return Ok();
  analysis::AddToStore(analyzed, file, options.most_events, findings.store);
  return Ok();
}

Status Import(const ImportOptions& options, Findings& findings) {
  for (const std::string& file : options.files) {
    RIDGELINE_RETURN_IF_ERROR(ImportOne(file, options, findings));
  }
  return Ok();
}

Status Save(const results::ResultStore& store, const std::string& path) {
  Result<std::string> bytes =
      results::ToSqlite(store, "ridgeline " + std::string(Version()));
  if (!bytes.ok()) return std::move(bytes).error().While(path);
  return os::WriteFileAtomically(path, bytes.value());
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
  Findings findings;
  if (const Status read = Import(options.value(), findings); !read.ok()) {
    Fail(streams, read.error());
    return ExitStatus::kUsage;  // Also for files that the system does not let us read.
  }
  if (!options.value().output.empty()) {
    const Status saved = Save(findings.store, options.value().output);
    if (!saved.ok()) return Fail(streams, saved.error());
  }
  if (options.value().is_json) {
    const Json json = {{"schema_version", kImportSchemaVersion},
                       {"command", "import"},
                       {"traces", std::move(findings.json)}};
    findings.text = DumpJson(json, 2) + "\n";
  }
  streams.err << findings.warnings;
  streams.out << findings.text;
  return ExitStatus::kDone;
}

}  // namespace ridgeline::app
