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
// front of an old key are dropped, because the new one exists; "~" is left for
// Hydra to refuse.
RewrittenOverrides RewriteLegacyOverrides(const std::vector<std::string>& overrides);

// What an old key path is called now; empty if it is not an old one.
std::string NewNameOf(std::string_view key);

}  // namespace ridgeline::pipeline
