#pragma once

#include <memory>

#include "base/result.h"
#include "inference/session.h"

namespace ridgeline::networks::dummy_shallow_resnet {

// Needs no checkpoint: model.create.seed is all there is to its weights. Its answer to a
// page is one token, the number of a class.
Result<std::unique_ptr<inference::Session>> MakeSession(
    const inference::SessionOptions& options);

}  // namespace ridgeline::networks::dummy_shallow_resnet
