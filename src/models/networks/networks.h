#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "inference/session.h"

namespace ridgeline::networks {

// The built-in model of that name, loaded. An unknown name is an error that lists them.
Result<std::unique_ptr<inference::Session>> LoadModel(
    const std::string& name, const inference::SessionOptions& options);

}  // namespace ridgeline::networks
