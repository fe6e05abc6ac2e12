#include <fmt/format.h>

#include "stages/ncu/ncu.h"

namespace ridgeline::stages {
namespace {

// In the order of NcuVerdict.
constexpr pipeline::OutcomeSpec kNcuOutcomes[] = {
    {"Profiled", "done", "kernels or ranges were profiled"},
    {"NoKernels", "failed",
     "ncu exited with 0 and profiled nothing, or its report has no launches, also in "
     "reruns with fewer and fewer filters (see below)"},
    {"PermissionDenied", "failed",
     "counters are restricted to administrators (`ERR_NVGPUCTRPERM`). Skipped if the "
     "driver reports it before anything runs"},
    {"NoMetrics", "failed", "none of the requested metrics exist"},
    {"ArgumentRefused", "failed", "ncu rejects its command line"},
    {"ToolTooOld", "failed",
     "this ncu does not support the driver. Skipped if it does not support the replay "
     "mode"},
    {"WorkloadFailed", "failed", "the workload failed under ncu"},
    {"ToolFailed", "failed",
     "ncu itself failed, also if only some kernels could not be profiled; a report is "
     "kept"},
    {"UnreadableReport", "failed",
     "the report is empty or damaged. Every report is read back before the stage is "
     "done"},
    {"ExportFailed", "failed",
     "`ncu --import` failed, or its raw page is empty or damaged; the report is kept"},
    {"TimedOut", "failed", "after `pipeline.ncu.timeout_s`"},
    {"PlanTooLong", "failed",
     "the selected launches would take longer than `pipeline.ncu.timeout_s` by the "
     "estimate; nothing was started. `retry_overrides` fit"},
    {"NoReport", "failed", "none of the above"},
};

// The first line with `part`; empty if there is none. ncu's own lines begin with "==".
std::string_view LineWith(std::string_view log, std::string_view part) {
  const size_t at = log.find(part);
  if (at == std::string_view::npos) return "";
  const size_t begin = log.rfind('\n', at) + 1;  // npos + 1 is 0.
  return log.substr(begin, log.find_first_of("\r\n", at) - begin);
}

struct Sign {
  const char* text;
  NcuVerdict verdict;
};

// In this order: a denied counter also fails the kernel, and then the program.
constexpr Sign kSigns[] = {
    {"ERR_NVGPUCTRPERM", NcuVerdict::kPermissionDenied},
    {"is not compatible with Nsight Compute", NcuVerdict::kToolTooOld},
    {"==ERROR== Option '", NcuVerdict::kArgumentRefused},
    {"unrecognised option", NcuVerdict::kArgumentRefused},
    {"the argument for option", NcuVerdict::kArgumentRefused},
    {"the argument ('", NcuVerdict::kArgumentRefused},
    {"==ERROR== The application returned an error code", NcuVerdict::kWorkloadFailed},
    {"==WARNING== No metrics to collect found", NcuVerdict::kNoMetrics},
    {"==WARNING== No kernels were profiled", NcuVerdict::kNoKernels},
    {"==ERROR==", NcuVerdict::kToolFailed},
};

std::string CauseOf(NcuVerdict verdict, std::string_view line,
                    const os::ProcessResult& process) {
  switch (verdict) {
    case NcuVerdict::kPermissionDenied:
      return "GPU performance counters are restricted to administrators; " +
             CounterPermissionFix();
    case NcuVerdict::kNoKernels:
      return "no kernels profiled: the program launched none, or none matched "
             "ncu_cli.nvtx.include and kernel_name";
    case NcuVerdict::kWorkloadFailed:
      return fmt::format("the program under ncu: {}", os::Describe(process));
    default:
      for (const std::string_view prefix : {"==ERROR== ", "==WARNING== "}) {
        if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
      }
      return std::string(line);
  }
}

// Whether ncu failed even though it exited with 0 and wrote a report: the report then
// lacks kernels.
bool IsFatal(std::string_view line) { return line.starts_with("==ERROR=="); }

}  // namespace

std::span<const pipeline::OutcomeSpec> NcuOutcomes() { return kNcuOutcomes; }

std::string_view Name(NcuVerdict verdict) {
  return kNcuOutcomes[static_cast<size_t>(verdict)].name;
}

std::string NcuOutcome::ToString() const {
  return cause.empty() ? std::string(Name(verdict))
                       : fmt::format("{}: {}", Name(verdict), cause);
}

std::string CounterPermissionFix() {
  return "as root: modprobe nvidia NVreg_RestrictProfilingToAdminUsers=0 (permanent: in "
         "/etc/modprobe.d), or start the container with CAP_SYS_ADMIN";
}

NcuOutcome ClassifyNcu(const os::ProcessResult& process, std::string_view log,
                       bool has_report) {
  if (process.timed_out) return {NcuVerdict::kTimedOut, os::Describe(process)};
  const bool looks_well = process.ok() && has_report;
  for (const Sign& sign : kSigns) {
    const std::string_view line = LineWith(log, sign.text);
    if (line.empty() || (looks_well && !IsFatal(line))) continue;
    return {sign.verdict, CauseOf(sign.verdict, line, process)};
  }
  if (looks_well) return {};
  if (!process.ok()) return {NcuVerdict::kToolFailed, os::Describe(process)};
  return {NcuVerdict::kNoReport, "ncu wrote no report"};
}

}  // namespace ridgeline::stages
