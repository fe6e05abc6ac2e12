#include <fmt/format.h>

#include "stages/ncu/ncu.h"

namespace ridgeline::stages {
namespace {

// The first line with `part`; nothing if there is none. ncu's own begin with "==".
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

// In this order: a refused counter also fails the kernel, and then the program.
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
      return std::string(line);
  }
}

}  // namespace

std::string_view Name(NcuVerdict verdict) {
  switch (verdict) {
    case NcuVerdict::kProfiled:
      return "Profiled";
    case NcuVerdict::kNoKernels:
      return "NoKernels";
    case NcuVerdict::kPermissionDenied:
      return "PermissionDenied";
    case NcuVerdict::kNoMetrics:
      return "NoMetrics";
    case NcuVerdict::kArgumentRefused:
      return "ArgumentRefused";
    case NcuVerdict::kToolTooOld:
      return "ToolTooOld";
    case NcuVerdict::kWorkloadFailed:
      return "WorkloadFailed";
    case NcuVerdict::kToolFailed:
      return "ToolFailed";
    case NcuVerdict::kTimedOut:
      return "TimedOut";
    case NcuVerdict::kNoReport:
      return "NoReport";
  }
  return "";
}

std::string NcuOutcome::ToString() const {
  return cause.empty() ? std::string(Name(verdict))
                       : fmt::format("{}: {}", Name(verdict), cause);
}

std::string CounterPermissionFix() {
  return "as root: modprobe nvidia NVreg_RestrictProfilingToAdminUsers=0 (permanent: in "
         "/etc/modprobe.d), or start the container with CAP_SYS_ADMIN";
}

NcuOutcome JudgeNcu(const os::ProcessResult& process, std::string_view log,
                    bool has_report) {
  if (process.timed_out) return {NcuVerdict::kTimedOut, os::Describe(process)};
  if (process.ok() && has_report) return {};
  for (const Sign& sign : kSigns) {
    const std::string_view line = LineWith(log, sign.text);
    if (!line.empty()) return {sign.verdict, CauseOf(sign.verdict, line, process)};
  }
  if (!process.ok()) return {NcuVerdict::kToolFailed, os::Describe(process)};
  return {NcuVerdict::kNoReport, "ncu wrote no report"};
}

}  // namespace ridgeline::stages
