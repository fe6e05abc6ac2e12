#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::config {

// PyYAML accepts some text that libyaml rejects:
//   {a:} and [a:, b]  a key ends at a colon even without a following space;
//   |                 a block scalar may begin with a tab after its indentation.
//     <tab>text
// Returns the text as libyaml expects it, or empty if no change is needed. Columns to
// the right of a change are shifted by the added character.
std::optional<std::string> ToLibyamlDialect(std::string_view text);

}  // namespace ridgeline::config
