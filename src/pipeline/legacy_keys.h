// Translates overrides written for earlier configuration trees before composing:
// outputs.save_predictions=true, runner@stage1_runner=stage1.no-static.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/config_keys.h"

namespace ridgeline::pipeline {

struct RewrittenOverrides {
  std::vector<std::string> overrides;
  // One line for the user per old key or group:
  //   "outputs.save_predictions is now pipeline.torch_profiler.output.prediction.enable".
  std::vector<std::string> notes;
};

// Rewrites old keys; everything else is unchanged and stays in place. "+" and "++" before
// an old key are dropped, because the new one exists in every tree (FillDefaults); "~" is
// left for Hydra to reject. An old key is dropped if its new name is given as well.
// Mappings get "++": AdoptLegacyKeys reads them. With `groups`, the notes tell names that
// would be new keys that do not exist: the user misspelled the old one.
RewrittenOverrides RewriteLegacyOverrides(const std::vector<std::string>& overrides,
                                          std::span<const KeyGroup> groups = {});

// Options of the earlier group `runner`, as a list: "stage1.default, ...".
std::string OldRunnerNames();

// The current name of an old key path; empty if it is not an old one.
std::string NewNameOf(std::string_view key);

// Whether an old key maps to its new name on the command line only: in the files of
// earlier trees it had a narrower meaning.
bool IsOverrideOnly(std::string_view key);

// Why a key of earlier trees has no effect here.
std::string WhyUnused(std::string_view key);

}  // namespace ridgeline::pipeline
