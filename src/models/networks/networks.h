#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "inference/session.h"

namespace ridgeline::networks {

// Loads the built-in model of that name. The error for an unknown name lists them.
Result<std::unique_ptr<inference::Session>> LoadModel(
    const std::string& name, const inference::SessionOptions& options);

}  // namespace ridgeline::networks
