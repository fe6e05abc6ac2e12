#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <vector>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/flags.h"
#include "app/registry.h"
#include "base/json.h"
#include "collectors/nvtx/capture_expression.h"
#include "collectors/nvtx/dry_run.h"
#include "collectors/python/agent.h"
#include "config/compose/job.h"
#include "config/reader.h"
#include "os/env.h"
#include "os/files.h"
#include "os/process_runner.h"
#include "os/scratch_directory.h"
#include "os/signal_watch.h"
#include "workloads/python_options.h"

namespace ridgeline::app {
namespace {

using Json = nlohmann::ordered_json;

// Of the JSON printed by this command.
constexpr int kNvtxListSchemaVersion = 2;

std::span<const Flag> NvtxListFlags() {
  static const std::vector<Flag> flags = {
      {"--expression", "", Flag::Takes::kValue, "EXPRESSION",
       "LABEL, LABEL@DOMAIN or LABEL@*: check that nsys --nvtx-capture would match"},
      {"--timeout", "", Flag::Takes::kValue, "SECONDS",
       "stop the program after this many seconds and list the ranges seen so far"},
      {"--no-layers", "", Flag::Takes::kNothing, "",
       "omit the layers of PyTorch models (docs/python.md)"},
      {"--json", "", Flag::Takes::kNothing, "", "print JSON"},
      {"--help", "-h", Flag::Takes::kNothing, "", "show this help"},
  };
  return flags;
}

void PrintNvtxListUsage(std::ostream& out) {
  out << "ridgeline nvtx-list [flags] [overrides] -- PROGRAM [ARGUMENTS...]\n"
         "  Runs a program and lists the NVTX ranges of it and its child processes. "
         "Needs\n"
         "  neither a GPU nor nsys. In a Python program each nn.Module call is a range, "
         "too;\n"
         "  overrides are those of pipeline.workload.python, as for ridgeline run.\n";
  out << FlagsHelp(NvtxListFlags());
  out << "\n"
         "Output of the program goes to stderr. Exit codes: 0 success; 1 the program "
         "failed;\n"
         "3 the expression matches nothing; 126, 127 the program cannot be started, was "
         "not\n"
         "found.\n";
}

struct Request {
  std::vector<std::string> argv;
  std::optional<nvtx::Expression> expression;
  std::optional<double> timeout_s;
  bool json = false;
  bool layers = true;  // For Python programs.
  workloads::PythonOptions python;
};

Result<double> SecondsOf(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result parsed = std::from_chars(text.data(), end, value);
  const bool good =
      parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(value) && value > 0;
  if (!good)
    return UsageError(
        fmt::format("flag --timeout: expected a number > 0, got '{}'", text));
  return value;
}

Result<Request> ReadRequest(const ParsedFlags& flags, std::vector<std::string> argv) {
  Request request = {.argv = std::move(argv),
                     .json = flags.Has("--json"),
                     .layers = !flags.Has("--no-layers")};
  if (request.argv.empty()) {
    return UsageError(
        "nvtx-list needs a program after --, e.g. ridgeline nvtx-list -- ./serve");
  }
  if (flags.Has("--timeout")) {
    RIDGELINE_TRY(request.timeout_s, SecondsOf(flags.Get("--timeout")));
  }
  if (flags.Has("--expression")) {
    auto parsed = nvtx::ParseExpression(flags.Get("--expression"));
    if (!parsed.ok()) return std::move(parsed).error().While("flag --expression");
    request.expression = std::move(parsed).value();
  }
  return request;
}

// "pipeline.workload.python.ranges.max_depth=2", "workload/python=vllm"
bool IsPythonOverride(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of("+~"), word.size()));
  return word.starts_with("pipeline.workload.python.") ||
         word.starts_with("pipeline.workload.python=") ||
         word.starts_with("workload/python=");
}

// Options with which `run` would observe a Python program, given these overrides.
ridgeline::Result<workloads::PythonOptions, ExitStatus> PythonOptionsOf(
    const std::vector<std::string>& overrides, const Streams& streams) {
  if (overrides.empty()) return workloads::PythonOptions();
  for (const std::string& word : overrides) {
    if (IsPythonOverride(word)) continue;
    return Fail(streams,
                UsageError(fmt::format("nvtx-list: '{}': expected overrides of "
                                       "pipeline.workload.python or workload/python, "
                                       "then -- and a program",
                                       word)));
  }
  HydraOptions options;
  options.overrides = overrides;
  auto composed = ComposeFor(options, streams);
  if (!composed.ok()) return composed.error();
  config::Workspace& workspace = composed.value()->workspace;
  const config::Result<config::Job> job =
      config::PrepareJob(workspace, composed.value()->composition,
                         composed.value()->here.request.working_directory);
  if (!job.ok()) return Fail(streams, job.error());
  config::Node& root = *job.value().config;
  const std::vector<config::Error> mistakes =
      CheckConfig(workspace, root, composed.value()->unknown_keys);
  if (!mistakes.empty()) return Fail(streams, config::JoinErrors(mistakes));
  auto read = workloads::ReadPythonOptions(workspace, root);
  if (!read.ok()) return Fail(streams, read.error());
  return std::move(read).value();
}

struct Seen {
  os::ProcessResult end;
  nvtx::Listing listing;
  std::optional<nvtx::Resolution> resolution;
};

// The command of the program; for Python, with layers as ranges.
Result<os::Command> WorkloadOf(const Request& request,
                               const std::filesystem::path& scratch) {
  os::Command command = {.argv = request.argv, .environment = {}, .directory = {}};
  const std::optional<std::filesystem::path> agent = python::FindAgent();
  const bool is_observed =
      request.python.agent == workloads::PythonOptions::Agent::kAlways ||
      (request.python.agent == workloads::PythonOptions::Agent::kAuto &&
       python::StartsPython(command));
  if (!request.layers || !agent || !is_observed) return command;
  python::Request layers;
  layers.output = scratch / "python";
  const std::filesystem::path file = layers.output / "request.json";
  layers.ranges = request.python.ranges;
  layers.regions = request.python.regions;
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(layers.output));
  RIDGELINE_RETURN_IF_ERROR(os::WriteFile(file, python::ToJson(layers)));
  return python::WithAgent(std::move(command), *agent, file, os::GetEnv("PYTHONPATH"));
}

Result<Seen> Observe(const Request& request, const Streams& streams) {
  const auto library = nvtx::FindInjectionLibrary();
  if (!library) return nvtx::NoInjectionLibrary();
  RIDGELINE_TRY(const os::ScratchDirectory scratch,
                os::ScratchDirectory::Make("ridgeline-nvtx"));
  RIDGELINE_TRY(const os::Command workload, WorkloadOf(request, scratch.path()));
  const os::Command command = nvtx::UnderInjection(workload, *library, scratch.path());
  os::ProcessOptions options;
  options.timeout_s = request.timeout_s;
  options.on_output = [&streams](std::string_view bytes) { streams.err << bytes; };
  const os::SignalWatch signals;
  os::SystemProcessRunner processes(&signals);
  Seen seen;
  RIDGELINE_TRY(seen.end, processes.Run(command, options));
  RIDGELINE_TRY(seen.listing, nvtx::ReadListing(scratch.path()));
  if (request.expression) {
    seen.resolution = nvtx::Resolve(*request.expression, seen.listing);
  }
  return seen;
}

Json RangeJson(const nvtx::RangeRow& row) {
  Json json = {{"label", row.label},
               {"domain", row.domain},
               {"kind", nvtx::Word(row.kind)},
               {"registered", row.registered},
               {"wide", row.wide},
               {"path", row.path},
               {"opened", row.opened},
               {"closed", row.closed},
               {"time_total_ns", nullptr},
               {"time_mean_ns", nullptr},
               {"time_min_ns", nullptr},
               {"time_max_ns", nullptr},
               {"threads", row.threads},
               {"processes", row.processes}};
  if (row.times) {
    json["time_total_ns"] = row.times->total_ns;
    json["time_mean_ns"] =
        static_cast<double>(row.times->total_ns) / static_cast<double>(row.closed);
    json["time_min_ns"] = row.times->min_ns;
    json["time_max_ns"] = row.times->max_ns;
  }
  return json;
}

Json ResolutionJson(const nvtx::Expression& expression,
                    const nvtx::Resolution& resolution) {
  return {{"expression", expression.ToString()},
          {"matches", resolution.Matches()},
          {"verdict", nvtx::Word(resolution.verdict)},
          {"opened_registered", resolution.opened_registered},
          {"opened_unregistered", resolution.opened_unregistered},
          {"opened_wide", resolution.opened_wide},
          {"suggestion", resolution.nearest.empty() ? Json() : Json(resolution.nearest)},
          {"message", resolution.sentence},
          {"fix", resolution.fix.empty() ? Json() : Json(resolution.fix)}};
}

void PrintJson(const Request& request, const Seen& seen, std::ostream& out) {
  Json processes = Json::array();
  for (const nvtx::ListedProcess& process : seen.listing.processes) {
    processes.push_back({{"pid", process.pid},
                         {"parent_pid", process.parent_pid},
                         {"program", process.program},
                         {"complete", process.complete},
                         {"threads", process.threads}});
  }
  Json ranges = Json::array();
  for (const nvtx::RangeRow& row : seen.listing.ranges) ranges.push_back(RangeJson(row));
  const nvtx::LeftOut& left_out = seen.listing.left_out;
  Json json = {{"schema_version", kNvtxListSchemaVersion},
               {"command", "nvtx-list"},
               {"program",
                {{"argv", request.argv},
                 {"exit_code", seen.end.exit_code},
                 {"ended", os::Describe(seen.end)},
                 {"timed_out", seen.end.timed_out},
                 {"wall_s", seen.end.wall_s}}},
               {"processes", std::move(processes)},
               {"ranges", std::move(ranges)},
               {"dropped",
                {{"ranges", left_out.ranges},
                 {"reentrant_calls", left_out.reentrant_calls},
                 {"pops_without_push", left_out.pops_without_push},
                 {"ends_without_start", left_out.ends_without_start},
                 {"labels_shortened", left_out.labels_shortened},
                 {"ranges_too_deep", left_out.ranges_too_deep}}},
               {"expression", nullptr}};
  if (seen.resolution) {
    json["expression"] = ResolutionJson(*request.expression, *seen.resolution);
  }
  // An argument may contain any bytes; JSON is UTF-8.
  out << DumpJson(json, 2) << '\n';
}

bool HasFailed(const os::ProcessResult& end) {
  return !end.ok() && !end.timed_out && !end.interrupted_by;
}

void PrintText(const Seen& seen, std::ostream& out) {
  // A program that failed before its first range: the reason is its failure, not NVTX.
  if (HasFailed(seen.end) && seen.listing.ranges.empty()) return;
  out << nvtx::ToText(seen.listing);
  if (!seen.resolution) return;
  out << '\n' << seen.resolution->sentence << '\n';
  if (!seen.resolution->fix.empty()) out << "hint: " << seen.resolution->fix << '\n';
}

ExitStatus StatusOf(const Seen& seen, const Streams& streams) {
  if (seen.end.interrupted_by) {
    return static_cast<ExitStatus>(ExitCodeOfSignal(*seen.end.interrupted_by));
  }
  if (seen.end.timed_out) {
    // Not an error: --timeout is how to inspect a program that never ends.
    streams.err << "ridgeline: note: the program was stopped (" << os::Describe(seen.end)
                << "); later ranges are not listed\n";
  } else if (HasFailed(seen.end)) {
    streams.err << "ridgeline: the program failed: " << os::Describe(seen.end) << '\n';
    return ExitStatus::kFailed;
  }
  const bool refused = seen.resolution && !seen.resolution->Matches();
  return refused ? ExitStatus::kRefused : ExitStatus::kDone;
}

}  // namespace

ExitStatus NvtxListCommand(std::span<const std::string> arguments,
                           const Streams& streams) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  Result<ParsedFlags> flags = ParseFlags(NvtxListFlags(), {arguments.begin(), dashes});
  if (!flags.ok()) return Fail(streams, flags.error());
  if (flags.value().Has("--help")) {
    PrintNvtxListUsage(streams.out);
    return ExitStatus::kDone;
  }
  std::vector<std::string> argv;
  if (dashes != arguments.end()) argv.assign(dashes + 1, arguments.end());
  Result<Request> request = ReadRequest(flags.value(), std::move(argv));
  if (!request.ok()) return Fail(streams, request.error());
  auto python = PythonOptionsOf(flags.value().words, streams);
  if (!python.ok()) return python.error();
  request.value().python = std::move(python).value();
  const Result<Seen> seen = Observe(request.value(), streams);
  if (!seen.ok()) {
    const ExitStatus status = Fail(streams, seen.error());
    return seen.error().code() == ErrorCode::kNotFound ? ExitStatus::kProgramMissing
                                                       : status;
  }
  if (request.value().json) {
    PrintJson(request.value(), seen.value(), streams.out);
  } else {
    PrintText(seen.value(), streams.out);
  }
  return StatusOf(seen.value(), streams);
}

}  // namespace ridgeline::app
