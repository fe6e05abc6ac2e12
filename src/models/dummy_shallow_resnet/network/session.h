#pragma once

#include <memory>

#include "base/result.h"
#include "inference/session.h"

namespace ridgeline::networks::dummy_shallow_resnet {

// Needs no checkpoint: its weights depend only on model.create.seed. Generates one token
// per page, the number of a class.
Result<std::unique_ptr<inference::Session>> MakeSession(
    const inference::SessionOptions& options);

}  // namespace ridgeline::networks::dummy_shallow_resnet
