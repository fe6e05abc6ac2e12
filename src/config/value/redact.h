#pragma once

#include <string>

#include "config/value/value.h"

namespace ridgeline::config {

// The configuration with secrets replaced (base/secrets.h), safe to write to disk:
// matches the names of keys, text, and lists that are command lines.
Value WithoutSecrets(const Value& value);

// The same for YAML; text without secrets is returned byte for byte. Text that is not
// YAML is searched as well.
std::string YamlWithoutSecrets(const std::string& yaml);

}  // namespace ridgeline::config
