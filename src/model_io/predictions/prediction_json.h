#pragma once

#include <string_view>

#include "base/result.h"
#include "model_io/predictions/predictions_file.h"

namespace ridgeline::predictions {

inline constexpr int kPredictionsVersion = 1;

// One line of predictions.jsonl, without its newline. The error does not name the place.
Result<PagePrediction> ParsePrediction(std::string_view line);

}  // namespace ridgeline::predictions
