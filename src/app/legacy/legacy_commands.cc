#include "app/commands.h"

namespace ridgeline::app {
namespace {

struct OldRunner {
  std::string_view name;
  std::vector<std::string> toggles;
};

const std::vector<OldRunner>& OldRunners() {
  static const std::vector<OldRunner> runners = {
      {"llm_profile_runner",
       {"pipeline.static_analysis.enable=true", "pipeline.torch_profiler.enable=true",
        "pipeline.direct_inference.enable=false", "pipeline.nsys.enable=false",
        "pipeline.ncu.enable=false"}},
      {"deep_profile_runner",
       {"pipeline.static_analysis.enable=false", "pipeline.torch_profiler.enable=false",
        "pipeline.direct_inference.enable=false", "pipeline.nsys.enable=true",
        "pipeline.ncu.enable=true"}},
      {"direct_inference_runner",
       {"pipeline.static_analysis.enable=false", "pipeline.torch_profiler.enable=false",
        "pipeline.direct_inference.enable=true", "pipeline.nsys.enable=false",
        "pipeline.ncu.enable=false"}},
  };
  return runners;
}

}  // namespace

std::optional<std::vector<std::string>> ArgumentsOfOldRunner(
    std::string_view program, std::span<const std::string> arguments) {
  const std::string_view name = program.substr(program.find_last_of('/') + 1);
  for (const OldRunner& runner : OldRunners()) {
    if (name != runner.name) continue;
    std::vector<std::string> all = runner.toggles;
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
  }
  return std::nullopt;
}

}  // namespace ridgeline::app
