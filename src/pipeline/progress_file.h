// A workload may tell how far it is by writing "3 20 pages" (done, total, unit) to the
// file that RIDGELINE_PROGRESS_FILE names; "3" and "3 20" are enough.
#pragma once

#include <optional>
#include <string_view>

#include "pipeline/run_observer.h"

namespace ridgeline::pipeline {

inline constexpr std::string_view kProgressVariable = "RIDGELINE_PROGRESS_FILE";

// Nothing for what is no progress: a half-written file is read again soon.
std::optional<Progress> ParseProgress(std::string_view text);

}  // namespace ridgeline::pipeline
