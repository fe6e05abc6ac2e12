#pragma once

#include <string>

#include "profiles/profile.h"

namespace ridgeline::app {

// Warning for users who share the file; empty if it contains no environment.
std::string SecretsWarning(const profiles::ProfileInfo& info);

}  // namespace ridgeline::app
