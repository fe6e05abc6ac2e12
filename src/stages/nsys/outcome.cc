#include <fmt/format.h>

#include "stages/nsys/nsys.h"

namespace ridgeline::stages {
namespace {

constexpr int kEndedByNsys = 143;  // 128 + SIGTERM.

bool EndedAsAsked(const NsysOptions& options, const NsysEnd& end) {
  return end.process.ok() ||
         (options.EndsTheProgram() && end.process.exit_code == kEndedByNsys);
}

// extra_args=[--kill=none] or [--kill,none].
bool KeepsTheProgram(const NsysOptions& options) {
  const std::string line = fmt::format("{} ", fmt::join(options.extra_args, " "));
  return options.EndsTheProgram() && (line.find("--kill=none ") != std::string::npos ||
                                      line.find("--kill none ") != std::string::npos);
}

// Of a program that fails, nsys leaves a report and the program's exit code; of itself,
// nothing and 1.
bool BrokeItself(const NsysOptions& options, const NsysEnd& end) {
  if (end.files > 0) return false;
  if (!end.log.broke.empty()) return true;
  return end.process.exit_code == 1 && !options.IsGated() && end.log.generated.empty() &&
         end.log.not_started.empty();
}

NsysOutcome NoRangeHit(const NsysOptions& options, const std::string& nvtx_capture) {
  if (!options.WaitsForNvtx()) {
    return {NsysVerdict::kNoRangeHit,
            fmt::format("nsys wrote no report: nothing began the capture "
                        "(capture_range={}) while it watched",
                        options.capture_range),
            {"pipeline.nsys.capture_range=none"}};
  }
  return {NsysVerdict::kNoRangeHit,
          fmt::format(
              "nsys wrote no report: no NVTX range '{}' was opened while it watched. "
              "Ranges of other domains need name@domain or name@*; `ridgeline nvtx-list` "
              "shows what the program opens. gating_nvtx=false captures the whole run",
              nvtx_capture),
          {"pipeline.nsys.gating_nvtx=false"}};
}

// There are files, and the program ended as it should.
NsysOutcome JudgeFiles(const NsysOptions& options, const NsysEnd& end) {
  if (!end.log.not_created.empty()) {
    return {NsysVerdict::kReportRedirected,
            fmt::format("{} existed (force_overwrite=false), so nsys wrote its report "
                        "outside the run directory, where it is left alone: {}",
                        end.log.not_created, fmt::join(end.log.generated, ", ")),
            {"pipeline.nsys.force_overwrite=true"}};
  }
  const int wanted = options.RepeatCount();
  if (end.files < static_cast<size_t>(wanted)) {
    return {
        NsysVerdict::kFewerRanges,
        fmt::format("capture_range_end={} asks for {} ranges, but only {} {} captured",
                    options.capture_range_end, wanted, end.files,
                    end.files == 1 ? "was" : "were"),
        {}};
  }
  if (end.process.exit_code == kEndedByNsys) {
    return {
        NsysVerdict::kKilledByRangeEnd,
        fmt::format("nsys ended the program together with the range, as "
                    "capture_range_end={} asks; what the program writes at its end is "
                    "missing",
                    options.capture_range_end),
        {}};
  }
  if (KeepsTheProgram(options) && end.process.leftover_processes > 0) {
    return {NsysVerdict::kLeftRunning,
            "nsys ended while the program was still running (--kill=none); the program "
            "was then ended",
            {"pipeline.nsys.capture_range_end=stop"}};
  }
  return {};
}

}  // namespace

std::string_view Name(NsysVerdict verdict) {
  switch (verdict) {
    case NsysVerdict::kCaptured:
      return "Captured";
    case NsysVerdict::kKilledByRangeEnd:
      return "KilledByRangeEnd";
    case NsysVerdict::kReportRedirected:
      return "ReportRedirected";
    case NsysVerdict::kFewerRanges:
      return "FewerRanges";
    case NsysVerdict::kLeftRunning:
      return "LeftRunning";
    case NsysVerdict::kNoRangeHit:
      return "NoRangeHit";
    case NsysVerdict::kToolFailed:
      return "ToolFailed";
    case NsysVerdict::kWorkloadFailed:
      return "WorkloadFailed";
    case NsysVerdict::kArgumentRefused:
      return "ArgumentRefused";
    case NsysVerdict::kTimedOut:
      return "TimedOut";
    case NsysVerdict::kNoReport:
      return "NoReport";
  }
  return "";
}

std::string NsysOutcome::ToString() const {
  return cause.empty() ? std::string(Name(verdict))
                       : fmt::format("{}: {}", Name(verdict), cause);
}

NsysOutcome Judge(const NsysOptions& options, const std::string& nvtx_capture,
                  const NsysEnd& end) {
  if (end.process.timed_out) {
    return {
        NsysVerdict::kTimedOut, os::Describe(end.process) + "; see nsys/nsys.log", {}};
  }
  if (!end.log.refused.empty() && end.files == 0) {
    return {NsysVerdict::kArgumentRefused,
            "this nsys does not understand its command line (nsys/cmd.txt): " +
                end.log.refused,
            {}};
  }
  if (BrokeItself(options, end)) {
    return {NsysVerdict::kToolFailed,
            fmt::format("nsys itself failed ({}); it does so now and then while another "
                        "nsys is at work on this machine: run it again",
                        end.log.broke.empty() ? "it left nothing, as it does not when a "
                                                "program fails"
                                              : end.log.broke),
            {}};
  }
  if (!EndedAsAsked(options, end)) {
    return {NsysVerdict::kWorkloadFailed,
            fmt::format(
                "the program under nsys: {}; nsys hands its end on, and {}",
                os::Describe(end.process),
                end.files == 0 ? "there is no report" : "the report up to there is kept"),
            {}};
  }
  if (end.files > 0) return JudgeFiles(options, end);
  if (options.IsGated() && end.log.ranges_started == 0) {
    return NoRangeHit(options, nvtx_capture);
  }
  return {NsysVerdict::kNoReport, "nsys wrote no report; see nsys/nsys.log", {}};
}

}  // namespace ridgeline::stages
