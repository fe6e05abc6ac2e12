// Where PyYAML is stricter about characters than libyaml, which parses for us.
#pragma once

#include <string_view>

#include "config/value/yaml_mark.h"

namespace ridgeline::config {

// The text is UTF-8 and has no control or other special characters, nor a byte
// order mark at the start of any but the first line.
Status CheckYamlCharacters(std::string_view text, const SourceName& source);

// Outside quotes, comments and block scalars there is no tab, and a tag ends
// with a space or the line. Text that is not YAML passes: the parser reports that
// better.
Status CheckYamlSeparators(std::string_view text, const SourceName& source);

}  // namespace ridgeline::config
