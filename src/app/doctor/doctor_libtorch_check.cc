#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "app/doctor/doctor_checks.h"
#include "base/plural.h"

namespace ridgeline::app {
namespace {

using hardware::Capability;
using hardware::Gpu;
using hardware::GpuSurvey;

// "75" is 7.5, "120" is 12.0, "90a" is 9.0.
std::optional<Capability> CapabilityOf(std::string_view digits) {
  int number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || number < 10) return std::nullopt;
  return Capability{number / 10, number % 10};
}

void ReadArchitectures(std::istream& words, LibtorchBuild& build) {
  constexpr std::string_view kMachineCode = "sm_";
  constexpr std::string_view kPtx = "compute_";
  for (std::string word; words >> word;) {
    const bool is_code = word.starts_with(kMachineCode);
    if (!is_code && !word.starts_with(kPtx)) continue;
    const auto capability = CapabilityOf(
        std::string_view(word).substr((is_code ? kMachineCode : kPtx).size()));
    if (capability) (is_code ? build.machine_code : build.ptx).push_back(*capability);
  }
}

// Machine code runs on its generation from its minor version on, PTX on all later ones.
// Unknown values are not reported as a problem.
bool RunsOn(const LibtorchBuild& build, Capability gpu) {
  if (build.machine_code.empty() && build.ptx.empty()) return true;
  const auto has_code = [gpu](Capability code) {
    return code.major == gpu.major && code.minor <= gpu.minor;
  };
  return std::ranges::any_of(build.machine_code, has_code) ||
         std::ranges::any_of(build.ptx, [gpu](Capability ptx) { return ptx <= gpu; });
}

std::string BuiltFor(const LibtorchBuild& build) {
  std::vector<std::string> names;
  for (const Capability code : build.machine_code) names.push_back(ToText(code));
  for (const Capability ptx : build.ptx) names.push_back(ToText(ptx) + " and newer");
  return fmt::format("{}", fmt::join(names, ", "));
}

bool WantsGpu(const DoctorFacts& facts) {
  return facts.found.gpus.outcome == GpuSurvey::Outcome::kFound &&
         !facts.runs_own_program && facts.device.value_or("").starts_with("cuda");
}

Check CheckCuda(const DoctorFacts& facts, const LibtorchBuild& build, Check check) {
  const std::vector<Gpu>& gpus = facts.found.gpus.gpus;
  if (build.gpus == 0) {
    check.verdict = Verdict::kFail;
    check.finding += fmt::format(" sees no GPU; this machine has {}", gpus.size());
    check.fix = fmt::format(
        "update the NVIDIA driver to one for CUDA {} (it has {}), or build with an older "
        "release: make run TORCH=pip TORCH_VERSION=N; check CUDA_VISIBLE_DEVICES",
        build.cuda, facts.found.gpus.cuda_driver_version.value_or("an unknown version"));
    return check;
  }
  for (const Gpu& gpu : gpus) {
    if (!gpu.capability || RunsOn(build, *gpu.capability)) continue;
    check.verdict = Verdict::kFail;
    check.finding += fmt::format(" has no code for compute capability {} (built for {})",
                                 ToText(*gpu.capability), BuiltFor(build));
    check.fix = "build with a release that has it: make run TORCH=pip TORCH_VERSION=N";
    return check;
  }
  check.finding += ", sees " + Plural(build.gpus, "GPU");
  return check;
}

}  // namespace

LibtorchBuild ParseLibtorchBuild(std::string_view text) {
  LibtorchBuild build;
  bool is_whole = false;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "cuda") words >> build.cuda;
    if (key == "architectures") ReadArchitectures(words, build);
    if (key == "gpus") is_whole = static_cast<bool>(words >> build.gpus);
  }
  if (build.cuda == "none") build.cuda.clear();
  if (!is_whole) build.problem = "ridgeline-model is not of this version";
  return build;
}

Check CheckLibtorch(const DoctorFacts& facts) {
  Check check = {.subject = "libtorch"};
  const artifacts::LibraryVersion& libtorch = facts.found.libtorch;
  if (!libtorch.version || !facts.libtorch) {
    check.verdict = Verdict::kSkip;
    check.finding = libtorch.version ? "ridgeline-model not found" : libtorch.reason;
    return check;
  }
  const LibtorchBuild& build = *facts.libtorch;
  if (!build.problem.empty()) {
    check.verdict = Verdict::kFail;
    check.finding =
        fmt::format("{} does not start: {}", *libtorch.version, build.problem);
    check.fix = "build again (make run), or see docs/nvidia.md";
    return check;
  }
  if (build.cuda.empty() && WantsGpu(facts)) {
    check.verdict = Verdict::kFail;
    check.finding = fmt::format("{} is a build for CPUs, but device={} is configured",
                                *libtorch.version, *facts.device);
    check.fix = "make run TORCH=pip (docs/nvidia.md), or device=cpu";
    return check;
  }
  check.finding = fmt::format("{} for {}", *libtorch.version,
                              build.cuda.empty() ? "CPUs" : "CUDA " + build.cuda);
  return !build.cuda.empty() && WantsGpu(facts) ? CheckCuda(facts, build, check) : check;
}

}  // namespace ridgeline::app
