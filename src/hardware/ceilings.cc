#include "hardware/ceilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "hardware/cpu_peaks.h"
#include "hardware/machine.h"
#include "os/env.h"

namespace ridgeline::hardware {
namespace {

constexpr std::string_view kCuda = "cuda";
constexpr size_t kCandidatesShown = 12;

// "cuda" and "auto" mean the first one.
int IndexOf(std::string_view device) {
  int index = 0;
  const size_t colon = device.find(':');
  if (colon == std::string_view::npos) return index;
  std::from_chars(device.data() + colon + 1, device.data() + device.size(), index);
  return index;
}

UnknownDevice NotHere(std::string reason) {
  return {std::move(reason),
          fmt::format("set {} (10^12 FLOP/s) and {} (10^9 bytes/s), or use `ridgeline "
                      "predict --on` with a GPU from the table",
                      kPeakTflopsKey, kPeakGbpsKey)};
}

struct FoundGpu {
  std::string name;
  DeviceMatch match;
};

FoundGpu FindGpu(const std::string& device, const GpuSurvey& survey) {
  if (survey.outcome != GpuSurvey::Outcome::kFound) {
    return {device, NotHere(fmt::format("no GPU found ({})", survey.reason))};
  }
  const int index = IndexOf(device);
  for (const Gpu& gpu : survey.gpus) {
    if (gpu.index != index) continue;
    return {fmt::format("cuda:{}: {}", index, gpu.name.value_or("unnamed GPU")),
            MatchDevice(FactsOf(gpu))};
  }
  return {device, NotHere(fmt::format("no such GPU: {}; this machine has {}", index,
                                      survey.gpus.size()))};
}

Result<DeviceCeilings> CpuCeilings(const DeviceRequest& request,
                                   const CeilingSources& sources) {
  const bool is_given = request.ceilings.peak_gbps &&
                        (request.ceilings.peak_tflops || sources.peak_tflops_variable);
  std::optional<MeasuredCeilings> measured;
  if (!is_given) {
    RIDGELINE_TRY(const MeasuredPeaks found, sources.measure());
    measured = CeilingsOf(found);
  }
  RIDGELINE_TRY(Ceilings ceilings,
                ChooseCeilings(request.ceilings, sources.peak_tflops_variable,
                               std::nullopt, measured, Arithmetic::kFp32));
  return DeviceCeilings{"cpu: " + sources.cpu_name, DeviceKind::kCpu,
                        std::move(ceilings)};
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::string Names(const std::vector<const GpuSpec*>& ceilings) {
  std::string text;
  for (size_t i = 0; i < std::min(ceilings.size(), kCandidatesShown); ++i) {
    text += (text.empty() ? "" : ", ") + std::string(ceilings[i]->name);
  }
  if (ceilings.size() > kCandidatesShown) {
    text += fmt::format(" and {} more", ceilings.size() - kCandidatesShown);
  }
  return text;
}

}  // namespace

CeilingSources ThisMachine() {
  const Machine machine = ReadMachine();
  return {.survey = [] { return SurveyGpus(); },
          .measure =
              [machine] { return MeasurePeaks(PlanMeasurement(machine, SystemFiles())); },
          .measured_gpu = std::nullopt,
          .cpu_name = machine.cpu.model.value_or("unnamed CPU"),
          .peak_tflops_variable = os::GetEnv(kPeakTflopsVariable)};
}

Result<Arithmetic> ArithmeticOf(DeviceKind kind, std::string_view dtype) {
  if (kind == DeviceKind::kCpu) return Arithmetic::kFp32;
  if (dtype == "bf16" || dtype == "bfloat16") return Arithmetic::kBf16;
  if (dtype == "fp16" || dtype == "float16") return Arithmetic::kFp16;
  if (dtype == "fp32" || dtype == "float32") return Arithmetic::kFp32;
  return Error(ErrorCode::kConfig,
               fmt::format("model.dtype: unsupported dtype '{}'", dtype));
}

Result<DeviceCeilings> CeilingsHere(const DeviceRequest& request,
                                    const CeilingSources& sources) {
  if (request.device == "cpu") return CpuCeilings(request, sources);
  const GpuSurvey survey = sources.survey();
  const bool has_gpu = survey.outcome == GpuSurvey::Outcome::kFound;
  if (!request.device.starts_with(kCuda) && !has_gpu)
    return CpuCeilings(request, sources);
  FoundGpu found = FindGpu(request.device, survey);
  RIDGELINE_TRY(const Arithmetic arithmetic,
                ArithmeticOf(DeviceKind::kGpu, request.dtype));
  RIDGELINE_TRY(Ceilings ceilings,
                ChooseCeilings(request.ceilings, sources.peak_tflops_variable,
                               found.match, sources.measured_gpu, arithmetic));
  return DeviceCeilings{std::move(found.name), DeviceKind::kGpu, std::move(ceilings)};
}

Result<const GpuSpec*> FindGpuSpec(std::string_view name,
                                   std::span<const GpuSpec> table) {
  const std::string wanted = Lower(name);
  std::vector<const GpuSpec*> candidates;
  for (const GpuSpec& ceiling : table) {
    const std::string called = Lower(ceiling.name);
    if (called == wanted) return &ceiling;
    if (!wanted.empty() && called.find(wanted) != std::string::npos) {
      candidates.push_back(&ceiling);
    }
  }
  if (candidates.size() == 1) return candidates.front();
  if (candidates.empty()) {
    return Error(ErrorCode::kNotFound,
                 fmt::format("no such GPU: '{}'; docs/ceilings.md lists the {} known "
                             "ones",
                             name, table.size()));
  }
  return Error(ErrorCode::kConfig,
               fmt::format("'{}' is ambiguous: it matches {} GPUs: {}", name,
                           candidates.size(), Names(candidates)));
}

Result<DeviceCeilings> CeilingsOf(const GpuSpec& ceiling, const DeviceRequest& request) {
  RIDGELINE_TRY(const Arithmetic arithmetic,
                ArithmeticOf(DeviceKind::kGpu, request.dtype));
  const DeviceMatch match = KnownDevice{.ceiling = &ceiling, .by = "name"};
  RIDGELINE_TRY(Ceilings ceilings, ChooseCeilings(request.ceilings, std::nullopt, match,
                                                  std::nullopt, arithmetic));
  return DeviceCeilings{std::string(ceiling.name), DeviceKind::kGpu, std::move(ceilings)};
}

}  // namespace ridgeline::hardware
