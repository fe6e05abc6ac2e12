#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::config {

// PyYAML reads some texts that libyaml refuses:
//   {a:} and [a:, b]  a key ends at a colon even without a space behind it;
//   |                 a block scalar may begin with a tab behind its indentation.
//     <tab>text
// Gives the text as libyaml wants it, or empty if it can stay as it is. Columns
// to the right of a change count the added character.
std::optional<std::string> ToLibyamlDialect(std::string_view text);

}  // namespace ridgeline::config
