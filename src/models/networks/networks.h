#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "inference/session.h"

namespace ridgeline::inference {

// The built-in model of that name, loaded. An unknown name is an error that lists them.
Result<std::unique_ptr<networks::Session>> LoadModel(
    const std::string& name, const networks::SessionOptions& options);

}  // namespace ridgeline::inference
