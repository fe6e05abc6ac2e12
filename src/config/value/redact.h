#pragma once

#include <string>

#include "config/value/value.h"

namespace ridgeline::config {

// The configuration as it may be written down: secrets (base/secrets.h) are replaced, by
// the names of keys, in texts and in lists that are command lines.
Value WithoutSecrets(const Value& value);

// The same for YAML; a text without secrets stays as it is, byte for byte. Also what is
// not YAML is searched.
std::string YamlWithoutSecrets(const std::string& yaml);

}  // namespace ridgeline::config
