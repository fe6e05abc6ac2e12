// What the program prints of files of ncu, in the words of the reference answers.
#pragma once

#include "tests/reference/renamed.h"

namespace ridgeline::ncu_cases {

using reference::Json;

// Of NcuToJson().
Json FileAsReference(const Json& file);

// Of one launch of it.
Json LaunchAsReference(const Json& launch);

// The answers without what is no number there and one here: speedups are texts.
Json Comparable(Json answers);

}  // namespace ridgeline::ncu_cases
