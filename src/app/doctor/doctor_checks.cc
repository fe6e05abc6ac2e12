#include "app/doctor/doctor_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/plural.h"

namespace ridgeline::app {
namespace {

using hardware::Gpu;
using hardware::GpuSurvey;

constexpr int64_t kMebibyte = int64_t{1} << 20;
constexpr int64_t kGibibyte = int64_t{1} << 30;
constexpr int64_t kHzPerMhz = 1'000'000;

// Traces of a few steps of a 7B model can reach 4 GB.
constexpr int64_t kLittleSpaceBytes = 5 * kGibibyte;
// Not enough for a short run with all stages enabled.
constexpr int64_t kTooLittleSpaceBytes = 512 * kMebibyte;

std::string Gibibytes(int64_t bytes) {
  return fmt::format("{:.1f} GiB",
                     static_cast<double>(bytes) / static_cast<double>(kGibibyte));
}

Check CheckConfiguration(const DoctorFacts& facts) {
  Check check = {.subject = "configuration"};
  if (facts.config_problem.empty()) {
    check.finding = facts.config_directory + " is valid";
    return check;
  }
  check.verdict = Verdict::kFail;
  check.finding = facts.config_problem;
  check.fix =
      facts.config_directory.empty()
          ? "keep conf/ beside the program, as installed, or pass --config-path DIR"
          : "fix the error above; docs/configuration.md lists every key";
  return check;
}

Check CheckRunDirectory(const DoctorFacts& facts) {
  const hardware::Disk& disk = facts.disk;
  Check check = {.subject = "run directory"};
  if (disk.wanted.empty()) {
    check.verdict = Verdict::kSkip;
    check.finding = "unknown without a valid configuration";
    return check;
  }
  if (disk.is_writable) {
    check.finding =
        fmt::format("{} {}", disk.wanted.string(),
                    disk.wanted == disk.existing ? "is writable" : "can be created");
    return check;
  }
  check.verdict = Verdict::kFail;
  check.finding = fmt::format("{}: no write permission for {}", disk.wanted.string(),
                              disk.existing.string());
  check.fix = "choose another directory: hydra.run.dir=DIR";
  return check;
}

Check CheckSpace(const DoctorFacts& facts) {
  const hardware::Disk& disk = facts.disk;
  Check check = {.subject = "disk space"};
  if (!disk.free_bytes || disk.wanted.empty()) {
    check.verdict = Verdict::kSkip;
    check.finding = "unknown";
    return check;
  }
  check.finding =
      fmt::format("{} free in {}", Gibibytes(*disk.free_bytes), disk.existing.string());
  if (*disk.free_bytes >= kLittleSpaceBytes) return check;
  const bool too_little = *disk.free_bytes < kTooLittleSpaceBytes;
  check.verdict = too_little ? Verdict::kFail : Verdict::kWarn;
  check.finding += fmt::format("; traces can need {}", Gibibytes(kLittleSpaceBytes));
  check.fix = "free some space, or choose another directory: hydra.run.dir=DIR";
  return check;
}

Check CheckInputs(const DoctorFacts& facts) {
  Check check = {.subject = "inputs"};
  if (!facts.inputs_problem.empty()) {
    check.verdict = Verdict::kFail;
    check.finding = facts.inputs_problem;
    check.fix = !facts.inputs_fix.empty() ? facts.inputs_fix
                : facts.runs_own_program
                    ? "correct the path of the program; relative paths begin in "
                      "pipeline.workload.cwd"
                    : "set model.path and dataset.root, or see `ridgeline run --dry-run`";
  } else if (!facts.inputs) {
    check.verdict = Verdict::kSkip;
    check.finding = "unknown without a valid configuration";
  } else {
    check.finding = Plural(*facts.inputs, "file");
  }
  return check;
}

// "NVIDIA A100-SXM4-80GB (compute capability 8.0, 108 SMs, 80.0 GiB)", as far as known;
// with a prefix if there are several: "2 x NVIDIA A100-SXM4-80GB".
std::string Describe(const Gpu& gpu) {
  std::vector<std::string> facts;
  if (gpu.capability) facts.push_back("compute capability " + ToText(*gpu.capability));
  if (gpu.sm_count) facts.push_back(fmt::format("{} SMs", *gpu.sm_count));
  if (gpu.memory_total_bytes) facts.push_back(Gibibytes(*gpu.memory_total_bytes));
  const std::string name = gpu.name.value_or("unnamed GPU");
  return facts.empty() ? name : fmt::format("{} ({})", name, fmt::join(facts, ", "));
}

std::string GpuNames(const std::vector<Gpu>& gpus) {
  std::map<std::string, int> counts;
  for (const Gpu& gpu : gpus) ++counts[Describe(gpu)];
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) {
    parts.push_back(count == 1 ? name : fmt::format("{} x {}", count, name));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Check CheckGpu(const DoctorFacts& facts) {
  const GpuSurvey& survey = facts.found.gpus;
  Check check = {.subject = "gpu"};
  if (survey.outcome == GpuSurvey::Outcome::kFound) {
    check.finding = fmt::format("{}; driver {}, CUDA {}", GpuNames(survey.gpus),
                                survey.driver_version.value_or("version unknown"),
                                survey.cuda_driver_version.value_or("version unknown"));
    return check;
  }
  const std::string device = facts.device.value_or("");
  if (!device.starts_with("cuda") || facts.runs_own_program) {
    check.verdict = Verdict::kSkip;
    check.finding = fmt::format("none ({}){}", survey.reason,
                                facts.device ? "; not needed by this configuration" : "");
    return check;
  }
  check.verdict = Verdict::kFail;
  check.finding =
      fmt::format("none ({}), but device={} is configured", survey.reason, device);
  check.fix = survey.outcome == GpuSurvey::Outcome::kNoDriver
                  ? "set device=cpu (to try it: ridgeline run +preset=demo); if there is "
                    "a GPU, install the NVIDIA driver (Debian, non-free: apt-get install "
                    "nvidia-driver)"
                  : "set device=cpu (to try it: ridgeline run +preset=demo); in a "
                    "container, start it with --gpus all; otherwise check "
                    "CUDA_VISIBLE_DEVICES and nvidia-smi";
  return check;
}

Check CheckCounters(const DoctorFacts& facts) {
  Check check = {.subject = "gpu counters"};
  const std::optional<bool> allowed =
      hardware::MayReadGpuCounters(facts.found.permissions);
  if (!allowed) {
    check.verdict = Verdict::kSkip;
    check.finding = "no NVIDIA driver (no /proc/driver/nvidia/params)";
    return check;
  }
  const bool admin_only = *facts.found.permissions.gpu_counters_admin_only;
  if (*allowed) {
    check.finding = admin_only ? "administrators only; this user is one" : "all users";
    return check;
  }
  check.verdict = Verdict::kFail;
  check.finding =
      "administrators only (RmProfilingAdminOnly: 1), and this user is not one: ncu "
      "fails with ERR_NVGPUCTRPERM";
  check.fix =
      "echo options nvidia NVreg_RestrictProfilingToAdminUsers=0 | sudo tee "
      "/etc/modprobe.d/nvidia-profiling.conf && sudo update-initramfs -u && sudo reboot";
  if (facts.found.machine.container) {
    check.fix += " (on the host), or start the container with --cap-add=SYS_ADMIN";
  }
  return check;
}

// Check of a GPU setting that makes times repeatable: skipped without GPUs, a warning if
// `wrong` lists any.
Check GpuSetting(const DoctorFacts& facts, std::string subject, std::string right,
                 const std::vector<std::string>& wrong, const std::string& fix) {
  Check check = {.subject = std::move(subject), .finding = std::move(right)};
  if (facts.found.gpus.gpus.empty()) {
    check.verdict = Verdict::kSkip;
    check.finding = "no GPU";
  } else if (!wrong.empty()) {
    check.verdict = Verdict::kWarn;
    check.finding = fmt::format("{}", fmt::join(wrong, "; "));
    check.fix = fix;
  }
  return check;
}

Check CheckPersistence(const DoctorFacts& facts) {
  std::vector<std::string> wrong;
  for (const Gpu& gpu : facts.found.gpus.gpus) {
    if (gpu.persistence_mode.value_or(true)) continue;
    wrong.push_back(fmt::format(
        "off on GPU {}: the first use waits for the driver to load", gpu.index));
  }
  return GpuSetting(facts, "gpu persistence mode", "on", wrong,
                    "sudo nvidia-smi --persistence-mode=1");
}

Check CheckClocks(const DoctorFacts& facts) {
  std::vector<std::string> wrong;
  std::vector<std::string> fixes;
  for (const Gpu& gpu : facts.found.gpus.gpus) {
    const std::optional<bool> set = gpu.ClocksAreSet();
    if (set.value_or(false)) continue;
    wrong.push_back(
        fmt::format("GPU {} {}", gpu.index,
                    set ? "is not locked: clocks vary with load and temperature"
                        : "does not report whether clocks are locked"));
    const std::string clock = gpu.sm_clock_max_hz
                                  ? std::to_string(*gpu.sm_clock_max_hz / kHzPerMhz)
                                  : std::string("MHZ");
    fixes.push_back(fmt::format("sudo nvidia-smi -i {} --lock-gpu-clocks={},{}",
                                gpu.index, clock, clock));
  }
  return GpuSetting(
      facts, "gpu clocks", "locked", wrong,
      fmt::format("{} (use a lower clock if it throttles; undo with --reset-gpu-clocks)",
                  fmt::join(fixes, " && ")));
}

Check CheckSampling(const DoctorFacts& facts) {
  const hardware::Permissions& permissions = facts.found.permissions;
  Check check = {.subject = "cpu sampling"};
  const std::optional<bool> allowed = hardware::MaySampleCpu(permissions);
  if (!allowed) {
    check.verdict = Verdict::kSkip;
    check.finding = "this kernel has no perf events";
    return check;
  }
  const int paranoid = *permissions.perf_event_paranoid;
  if (!*allowed) {
    check.verdict = Verdict::kWarn;
    check.finding = fmt::format(
        "kernel.perf_event_paranoid={}: nsys cannot sample (pipeline.nsys.sample)",
        paranoid);
    check.fix = "sudo sysctl kernel.perf_event_paranoid=2";
    return check;
  }
  if (!facts.found.machine.cpu.has_counters.value_or(true)) {
    check.verdict = Verdict::kWarn;
    check.finding =
        "allowed, but the CPU has no hardware counters, as in many virtual machines; "
        "nsys can hang when sampling";
    check.fix = "keep pipeline.nsys.sample=none and pipeline.nsys.cpuctxsw=none";
    return check;
  }
  check.finding = fmt::format("allowed (kernel.perf_event_paranoid={})", paranoid);
  return check;
}

Check CheckCpu(const DoctorFacts& facts) {
  const hardware::Cpu& cpu = facts.found.machine.cpu;
  const std::optional<double> quota = facts.found.limits.cgroup_cpus;
  Check check = {.subject = "cpu"};
  check.finding = cpu.model.value_or("unknown model");
  if (cpu.threads && cpu.threads_available) {
    check.finding += ", " + PartOf(*cpu.threads_available, *cpu.threads, "thread");
  }
  if (quota && cpu.threads_available && *quota < *cpu.threads_available) {
    check.verdict = Verdict::kWarn;
    check.finding += fmt::format(
        "; cgroup CPU quota {:.1f}: more threads than that are throttled", *quota);
    check.fix =
        fmt::format("export OMP_NUM_THREADS={}", std::max(1, static_cast<int>(*quota)));
    return check;
  }
  if (cpu.governor && *cpu.governor != "performance") {
    check.verdict = Verdict::kWarn;
    check.finding += fmt::format("; governor {}: clocks vary with load", *cpu.governor);
    check.fix = "sudo cpupower frequency-set --governor performance";
  }
  return check;
}

}  // namespace

std::vector<Check> Diagnose(const DoctorFacts& facts) {
  std::vector<Check> checks = {CheckConfiguration(facts), CheckRunDirectory(facts),
                               CheckSpace(facts), CheckInputs(facts)};
  for (Check& check : CheckProfilers(facts.found.tools)) {
    checks.push_back(std::move(check));
  }
  for (const auto& check : {CheckGpu, CheckCounters, CheckPersistence, CheckClocks,
                            CheckSampling, CheckCpu}) {
    checks.push_back(check(facts));
  }
  checks.push_back(CheckGit(facts.found.tools));
  checks.push_back(CheckLibtorch(facts));
  checks.push_back(CheckSlurm(facts));
  return checks;
}

Verdict Worst(std::span<const Check> checks) {
  const auto has = [checks](Verdict verdict) {
    return std::ranges::find(checks, verdict, &Check::verdict) != checks.end();
  };
  if (has(Verdict::kFail)) return Verdict::kFail;
  return has(Verdict::kWarn) ? Verdict::kWarn : Verdict::kOk;
}

}  // namespace ridgeline::app
