#pragma once

#include <string>

#include "artifacts/provenance.h"

namespace ridgeline::artifacts {

inline constexpr int kEnvironmentVersion = 2;

// The text of env.json: keys in a fixed order, "schema_version" first. Unknown values are
// null, and a missing section has "reason" instead.
std::string EnvironmentJson(const Provenance& provenance);

}  // namespace ridgeline::artifacts
