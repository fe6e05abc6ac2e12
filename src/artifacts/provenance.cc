#include "artifacts/provenance.h"

#include <algorithm>
#include <future>

#include "base/secrets.h"

namespace ridgeline::artifacts {
namespace {

// Names, and prefixes of names, marked by a trailing '*'.
constexpr std::string_view kKnownVariables[] = {
    "CUBLAS_WORKSPACE_CONFIG",
    "CUDA_DEVICE_ORDER",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_MODULE_LOADING",
    "CUDA_VISIBLE_DEVICES",
    "GOMP_*",
    "HF_HOME",
    "HF_HUB_CACHE",
    "HYDRA_*",
    "KMP_*",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "MKL_*",
    "NCCL_*",
    "NSYS_*",
    "NVIDIA_TF32_OVERRIDE",
    "NVIDIA_VISIBLE_DEVICES",
    "OMP_*",
    "OPENBLAS_*",
    "PATH",
    "PYTORCH_*",
    "RIDGELINE_*",
    "SLURM_*",
    "TORCH_*",
    "TZ",
    "XDG_*",
};

bool IsKnown(std::string_view name) {
  return std::ranges::any_of(kKnownVariables, [name](std::string_view known) {
    if (!known.ends_with('*')) return name == known;
    known.remove_suffix(1);
    return name.starts_with(known);
  });
}

}  // namespace

Variables KeepKnownVariables(const std::map<std::string, std::string>& environment) {
  Variables variables;
  for (const auto& [name, value] : environment) {
    if (IsKnown(name) && !NamesASecret(name)) {
      variables.kept.emplace(name, WithoutSecrets(value));
    } else {
      ++variables.left_out;
    }
  }
  return variables;
}

Provenance CollectProvenance(os::ProcessRunner& processes,
                             const ProvenanceRequest& request) {
  // Sequential if no thread can be started.
  constexpr auto kAtOnce = std::launch::async | std::launch::deferred;
  auto tools = std::async(
      kAtOnce, [&] { return hardware::ProbeTools(processes, request.search); });
  auto git = std::async(kAtOnce, [&] {
    if (request.directory.empty()) return GitState{.reason = "not queried"};
    return ReadGitState(processes, request.directory);
  });
  auto gpus =
      std::async(kAtOnce, [&] { return hardware::SurveyGpus(request.nvml_library); });
  Provenance provenance;
  provenance.ridgeline_version = request.ridgeline_version;
  provenance.time = request.time;
  provenance.machine = hardware::ReadMachine(request.search.files);
  provenance.limits = hardware::ReadLimits(request.search.files);
  provenance.permissions = hardware::ReadPermissions(request.search.files);
  provenance.libtorch = request.libtorch;
  provenance.variables = KeepKnownVariables(request.environment);
  provenance.tools = tools.get();
  provenance.git = git.get();
  provenance.gpus = gpus.get();
  return provenance;
}

}  // namespace ridgeline::artifacts
