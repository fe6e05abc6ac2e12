// All built-in models.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "models/model.h"

namespace ridgeline::models {

std::span<const ModelEntry> AllModels();

// Null: no such model.
const ModelEntry* FindModel(std::string_view name);

// Why there is no estimate for a model of this name; empty: there is one.
std::string WhyNotEstimated(std::string_view model);

// kUnsupported: WhyNotEstimated().
Result<std::unique_ptr<Model>> OpenModel(std::string_view name,
                                         const ModelSource& source);

// The model whose checkpoint has this config.json. On failure, returns the error of the
// first model.
Result<std::unique_ptr<Model>> OpenAnyModel(const ModelSource& source);

}  // namespace ridgeline::models
