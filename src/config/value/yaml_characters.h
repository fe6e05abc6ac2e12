// Character checks in which PyYAML is stricter than libyaml, our parser.
#pragma once

#include <string_view>

#include "config/value/yaml_mark.h"

namespace ridgeline::config {

// Checks that the text is UTF-8 without control or other special characters, and without
// a byte order mark at the start of any line but the first.
Status CheckYamlCharacters(std::string_view text, const SourceName& source);

// Checks that there are no tabs outside quotes, comments and block scalars, and that tags
// end with a space or the line. Text that is not YAML passes: the parser's error is
// better.
Status CheckYamlSeparators(std::string_view text, const SourceName& source);

}  // namespace ridgeline::config
