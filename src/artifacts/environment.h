#pragma once

#include <string>

#include "artifacts/provenance.h"

namespace ridgeline::artifacts {

inline constexpr int kEnvironmentVersion = 1;

// The text of env.json: keys in a fixed order, "schema_version" first. What is not known
// is null, and where something is missing as a whole, "why" says so.
std::string EnvironmentJson(const Provenance& provenance);

}  // namespace ridgeline::artifacts
