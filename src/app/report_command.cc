#include "app/report_command.h"

#include <ostream>

#include "app/command_support.h"
#include "app/flags.h"
#include "app/run/run_reports.h"
#include "os/files.h"

namespace ridgeline::app {
namespace {

using artifacts::State;

constexpr Flag kFlags[] = {{"--help", "-h", Flag::Takes::kNothing, "this text"}};

constexpr const char* kUsage =
    "ridgeline report RUN\n"
    "  Makes the reports of a run again: results.sqlite, metrics.json, report.md and\n"
    "  kernels.md, from what its stages left in the directory RUN and nothing else.\n";

Result<artifacts::Manifest> ReadEndedRun(const artifacts::RunDir& run_dir) {
  Result<std::string> text = os::ReadFile(run_dir.manifest());
  if (!text.ok()) {
    return Error(ErrorCode::kConfig, run_dir.root().string() + " is no run directory (" +
                                         text.error().message() + ")");
  }
  RIDGELINE_TRY(artifacts::Manifest manifest,
                artifacts::ParseManifest(text.value(), run_dir.manifest().string()));
  if (manifest.state == State::kRunning || manifest.state == State::kPending) {
    return Error(ErrorCode::kConfig,
                 run_dir.root().string() + ": this run has not ended yet");
  }
  return manifest;
}

}  // namespace

ExitStatus ReportCommand(std::span<const std::string> arguments, const Streams& streams) {
  const Result<ParsedFlags> flags = ParseFlags(kFlags, arguments);
  if (!flags.ok()) return Fail(streams, flags.error());
  if (flags.value().Has("--help")) {
    streams.out << kUsage;
    return ExitStatus::kDone;
  }
  if (flags.value().words.size() != 1) {
    return Fail(streams,
                Error(ErrorCode::kConfig, "report needs one directory of a run"));
  }
  Result<std::filesystem::path> root = os::RealPath(flags.value().words[0]);
  if (!root.ok()) return Fail(streams, root.error());
  const artifacts::RunDir run_dir(root.value());
  Result<artifacts::Manifest> manifest = ReadEndedRun(run_dir);
  if (!manifest.ok()) return Fail(streams, manifest.error());
  const Result<std::string> summary = WriteReports(manifest.value(), run_dir);
  if (!summary.ok()) return Fail(streams, summary.error());
  streams.err << summary.value();
  streams.out << run_dir.report_markdown().string() << '\n';
  return ExitStatus::kDone;
}

}  // namespace ridgeline::app
