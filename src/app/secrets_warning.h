#pragma once

#include <string>

#include "profiles/profile.h"

namespace ridgeline::app {

// For those who share the file; empty: it contains no environment.
std::string SecretsWarning(const profiles::ProfileInfo& info);

}  // namespace ridgeline::app
