// Overrides in the words of earlier configuration trees, put into ours before
// composing: outputs.save_predictions=true, runner@stage1_runner=stage1.no-static.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::pipeline {

struct RewrittenOverrides {
  std::vector<std::string> overrides;
  // One line for each old word that was met, for people:
  //   "outputs.save_predictions is now pipeline.torch_profiler.output.prediction.enable".
  std::vector<std::string> notes;
};

// Rewrites old keys; everything else stays as it is and where it is. "+" and "++" in
// front of an old key are dropped, because the new one exists in every tree
// (FillDefaults); "~" is left for Hydra to refuse. An old key is dropped if its new name
// is given as well. Mappings get "++": AdoptLegacyKeys reads them.
RewrittenOverrides RewriteLegacyOverrides(const std::vector<std::string>& overrides);

// What an old key path is called now; empty if it is not an old one.
std::string NewNameOf(std::string_view key);

// Whether an old key means its new name on the command line only: in the files of
// earlier trees it had a narrower meaning.
bool IsOverrideOnly(std::string_view key);

// Why a key of earlier trees has no effect here.
std::string WhyUnused(std::string_view key);

}  // namespace ridgeline::pipeline
