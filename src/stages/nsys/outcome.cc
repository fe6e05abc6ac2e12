#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "stages/nsys/nsys.h"

namespace ridgeline::stages {
namespace {

// In the order of NsysVerdict.
constexpr pipeline::OutcomeSpec kOutcomes[] = {
    {"Captured", "done", "as requested"},
    {"KilledByRangeEnd", "done",
     "requested by `capture_range_end=stop-shutdown` or `repeat-shutdown:N`, or by "
     "`capture_range_end=null`, which has the same effect (exit code 143 or 0). "
     "Otherwise the workload always runs to completion"},
    {"FewerRanges", "done", "`repeat:N` saw fewer than N ranges"},
    {"LeftRunning", "done",
     "`--kill=none` in `extra_args`: nsys exited before the workload"},
    {"ReportRedirected", "failed",
     "with `force_overwrite=false` a file of that name existed, and nsys wrote to its "
     "temporary directory; the message gives the path, nothing is moved"},
    {"NoRangeHit", "failed",
     "nothing triggered the capture; nsys exits with 0 and writes no report"},
    {"ImporterMissing", "failed",
     "only `run.qdstrm` was written and no QdstrmImporter was found; the stream is kept"},
    {"WorkloadFailed", "failed",
     "the workload failed; the capture up to that point is kept"},
    {"ArgumentRefused", "failed", "this nsys rejects a flag, a trace source, ..."},
    {"ToolFailed", "failed",
     "nsys itself failed in each of three attempts (two, if the second took more than a "
     "minute), as it occasionally does next to another nsys: it was killed by a signal, "
     "lost one of its processes, wrote an empty report, or ended without the "
     "`Generated:` line that it prints however the workload ends. If nsys "
     "fails every time (`Agent launcher failed`), a killed nsys left its lock behind: "
     "remove `/dev/shm/NSys-*` while no nsys is running"},
    {"ExportFailed", "failed",
     "`nsys export` failed, or its file is empty, damaged or not an nsys export; the "
     "report is kept"},
    {"TimedOut", "failed", "after `pipeline.nsys.timeout_s`"},
    {"ToolTooOld", "skipped",
     "nsys does not support the request (`repeat` before 2021.3)"},
    {"NoReport", "failed", "none of the above"},
};

constexpr int kEndedByNsys = 143;  // 128 + SIGTERM.

bool EndedAsAsked(const NsysOptions& options, const NsysEnd& end) {
  return end.process.ok() ||
         (options.EndsTheProgram() && end.process.exit_code == kEndedByNsys);
}

// extra_args=[--kill=none] or [--kill,none]
bool KeepsTheProgram(const NsysOptions& options) {
  const std::string line = fmt::format("{} ", fmt::join(options.extra_args, " "));
  return options.EndsTheProgram() && (line.find("--kill=none ") != std::string::npos ||
                                      line.find("--kill none ") != std::string::npos);
}

// nsys returns 0 or 143 for a program that it killed, whichever of the two ends first:
// its log shows that the last requested range has ended.
bool KilledTheProgram(const NsysOptions& options, const NsysEnd& end) {
  if (end.process.exit_code == kEndedByNsys) return true;
  return options.EndsTheProgram() && !KeepsTheProgram(options) &&
         end.log.ranges_ended >= std::max(1, options.RepeatCount());
}

// How nsys itself failed; empty: it did not. If the program fails, nsys still finishes,
// reports that, and returns the program's exit code; a signal is never the program's.
std::string HowItBroke(const NsysOptions& options, const NsysEnd& end) {
  const std::string ended = os::Describe(end.process);
  if (end.process.signal && !end.process.interrupted_by) return ended;
  const bool has_report = end.files > end.empty_files;
  if (!end.log.broke.empty() && !(has_report && EndedAsAsked(options, end))) {
    return end.log.broke;
  }
  if (end.empty_files > 0 && !has_report) return ended + ", but an empty report";
  // Without a range nsys ends the same way, successfully.
  const bool may_be_silent = options.IsGated() && end.process.ok();
  const bool said_nothing = !end.log.finished && end.log.not_started.empty();
  if (end.files == 0 && said_nothing && !may_be_silent) {
    return ended + ", no report and no error message";
  }
  return "";
}

NsysOutcome NoRangeHit(const NsysOptions& options, const std::string& nvtx_capture) {
  if (!options.WaitsForNvtx()) {
    return {
        NsysVerdict::kNoRangeHit,
        fmt::format("nsys wrote no report: the capture never started (capture_range={})",
                    options.capture_range),
        {"pipeline.nsys.capture_range=none"}};
  }
  return {
      NsysVerdict::kNoRangeHit,
      fmt::format("nsys wrote no report: NVTX range '{}' was never opened. Ranges of "
                  "other domains need name@domain or name@*; `ridgeline nvtx-list` lists "
                  "the ranges of the program. gating_nvtx=false captures the whole run",
                  nvtx_capture),
      {"pipeline.nsys.gating_nvtx=false"}};
}

// There are files, and the program exited as expected.
NsysOutcome JudgeFiles(const NsysOptions& options, const NsysEnd& end) {
  if (!end.log.not_created.empty()) {
    return {NsysVerdict::kReportRedirected,
            fmt::format("{} already existed (force_overwrite=false), so nsys wrote its "
                        "report outside the run directory: {}",
                        end.log.not_created, fmt::join(end.log.generated, ", ")),
            {"pipeline.nsys.force_overwrite=true"}};
  }
  const int wanted = options.RepeatCount();
  if (end.files < static_cast<size_t>(wanted)) {
    return {NsysVerdict::kFewerRanges,
            fmt::format("capture_range_end={} requests {}, but only {} {} captured (a "
                        "built-in model opens more with a higher run.repeats)",
                        options.capture_range_end, Plural(wanted, "range"), end.files,
                        end.files == 1 ? "was" : "were"),
            {}};
  }
  if (KilledTheProgram(options, end)) {
    return {NsysVerdict::kKilledByRangeEnd,
            fmt::format(
                "nsys killed the program at the end of the range "
                "(capture_range_end={}); output written after it may be missing",
                options.capture_range_end.empty() ? "null" : options.capture_range_end),
            {}};
  }
  if (KeepsTheProgram(options) && end.process.leftover_processes > 0) {
    return {NsysVerdict::kLeftRunning,
            "nsys exited while the program was still running (--kill=none); the program "
            "was then terminated",
            {"pipeline.nsys.capture_range_end=stop"}};
  }
  if (!end.log.broke.empty()) {
    return {NsysVerdict::kCaptured, "nsys reported an error: " + end.log.broke, {}};
  }
  return {};
}

}  // namespace

std::span<const pipeline::OutcomeSpec> NsysOutcomes() { return kOutcomes; }

std::string_view Name(NsysVerdict verdict) {
  return kOutcomes[static_cast<size_t>(verdict)].name;
}

bool NsysOutcome::failed() const {
  return kOutcomes[static_cast<size_t>(verdict)].effect == "failed";
}

std::string NsysOutcome::ToString() const {
  return cause.empty() ? std::string(Name(verdict))
                       : fmt::format("{}: {}", Name(verdict), cause);
}

NsysOutcome Classify(const NsysOptions& options, const std::string& nvtx_capture,
                     const NsysEnd& end) {
  if (end.process.timed_out) {
    return {
        NsysVerdict::kTimedOut, os::Describe(end.process) + "; see nsys/nsys.log", {}};
  }
  if (!end.log.refused.empty() && end.files == 0) {
    return {NsysVerdict::kArgumentRefused,
            "nsys rejected its command line (nsys/cmd.txt): " + end.log.refused,
            {}};
  }
  if (const std::string how = HowItBroke(options, end); !how.empty()) {
    return {
        NsysVerdict::kToolFailed,
        fmt::format(
            "nsys failed ({}); this can happen while another nsys runs on "
            "this machine: run it again. If it fails every time, a killed nsys left its "
            "lock behind: remove /dev/shm/NSys-* while no nsys is running",
            how),
        {}};
  }
  if (!EndedAsAsked(options, end)) {
    return {NsysVerdict::kWorkloadFailed,
            fmt::format("workload under nsys: {}; {}", os::Describe(end.process),
                        end.files == 0 ? "no report was written"
                                       : "the report up to that point is kept"),
            {}};
  }
  if (end.files > 0) return JudgeFiles(options, end);
  if (options.IsGated() && end.log.ranges_started == 0) {
    return NoRangeHit(options, nvtx_capture);
  }
  return {NsysVerdict::kNoReport, "nsys wrote no report; see nsys/nsys.log", {}};
}

}  // namespace ridgeline::stages
