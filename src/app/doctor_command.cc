#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/doctor/doctor_checks.h"
#include "app/doctor/doctor_facts.h"
#include "app/flags.h"
#include "app/hydra/hydra_flags.h"
#include "app/run/run_options.h"
#include "base/json.h"
#include "os/process_runner.h"

namespace ridgeline::app {
namespace {

using Json = nlohmann::ordered_json;

// Of the JSON printed by this command.
constexpr int kDoctorSchemaVersion = 1;

std::span<const Flag> DoctorFlags() {
  static const std::vector<Flag> flags = {
      {"--config-path", "-cp", Flag::Takes::kValue, "DIR",
       "use another configuration directory"},
      {"--config-name", "-cn", Flag::Takes::kValue, "NAME",
       "primary config (default: config)"},
      {"--config-dir", "-cd", Flag::Takes::kValue, "DIR",
       "add a directory to the config search path"},
      {"--json", "", Flag::Takes::kNothing, "", "print JSON"},
      {"--help", "-h", Flag::Takes::kNothing, "", "show this help"},
  };
  return flags;
}

void PrintDoctorUsage(std::ostream& out) {
  out << "ridgeline doctor [flags] [OVERRIDES...] [-- PROGRAM ARGUMENTS...]\n"
         "  Checks this machine for a run with these overrides, or of this program.\n"
         "  Changes nothing.\n";
  out << FlagsHelp(DoctorFlags());
  out << "\n"
         "One line per check: OK, WARN (results may be affected), FAIL (a stage will "
         "not\n"
         "work) or SKIP (not applicable), followed by the fix. Exit code 0, or 3 if a\n"
         "check failed.\n";
}

std::string_view Word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOk:
      return "ok";
    case Verdict::kWarn:
      return "warn";
    case Verdict::kFail:
      return "fail";
    case Verdict::kSkip:
      return "skip";
  }
  return "";
}

std::string_view Mark(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOk:
      return "OK";
    case Verdict::kWarn:
      return "WARN";
    case Verdict::kFail:
      return "FAIL";
    case Verdict::kSkip:
      return "SKIP";
  }
  return "";
}

void PrintText(std::span<const Check> checks, std::ostream& out) {
  for (const Check& check : checks) {
    out << fmt::format("{:<4}  {}: {}\n", Mark(check.verdict), check.subject,
                       check.finding);
    if (!check.fix.empty()) out << fmt::format("      fix: {}\n", check.fix);
  }
}

void PrintJson(std::span<const Check> checks, std::ostream& out) {
  Json list = Json::array();
  for (const Check& check : checks) {
    list.push_back({{"subject", check.subject},
                    {"verdict", Word(check.verdict)},
                    {"finding", check.finding},
                    {"fix", check.fix.empty() ? Json() : Json(check.fix)}});
  }
  const Json json = {{"schema_version", kDoctorSchemaVersion},
                     {"command", "doctor"},
                     {"checks", std::move(list)},
                     {"verdict", Word(Worst(checks))}};
  // A path may contain any bytes; JSON is UTF-8.
  out << DumpJson(json, 2) << '\n';
}

}  // namespace

ExitStatus DoctorCommand(std::span<const std::string> arguments, const Streams& streams) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  Result<ParsedFlags> parsed = ParseFlags(DoctorFlags(), {arguments.begin(), dashes});
  if (!parsed.ok()) return Fail(streams, parsed.error());
  const ParsedFlags& flags = parsed.value();
  if (flags.Has("--help")) {
    PrintDoctorUsage(streams.out);
    return ExitStatus::kDone;
  }
  HydraOptions options;
  options.config_path = flags.Get("--config-path");
  options.config_name = flags.Get("--config-name");
  options.config_dir = flags.Get("--config-dir");
  options.overrides = flags.words;
  if (dashes != arguments.end()) {
    const std::span<const std::string> program(dashes + 1, arguments.end());
    if (program.empty()) {
      return Fail(streams, UsageError("nothing after --; e.g. ridgeline doctor -- python "
                                      "generate.py"));
    }
    options.overrides.push_back(CommandOverride(program));
  }
  os::SystemProcessRunner processes;
  const std::vector<Check> checks = Diagnose(GatherFacts(options, processes, streams));
  if (flags.Has("--json")) {
    PrintJson(checks, streams.out);
  } else {
    PrintText(checks, streams.out);
  }
  return Worst(checks) == Verdict::kFail ? ExitStatus::kRefused : ExitStatus::kDone;
}

}  // namespace ridgeline::app
