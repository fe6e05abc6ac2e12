// From Oniguruma's regular expressions, which files of tokenizers are written in, to
// PCRE2's.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::tokenizers {

// The same pattern for PCRE2 with PCRE2_UTF | PCRE2_UCP. Where the two disagree:
//   \s, \S   Unicode's White_Space; PCRE2's \s also takes U+180E.
//   \w, \W   letters, marks, decimal digits and connectors; PCRE2's has fewer marks.
//   \v, \uHHHH   one character each.
//   \p{Han}  a script; PCRE2 would also take characters that scripts share.
// What means another thing to the two and is in no tokenizer that we know of is
// kUnsupported, with what it is: ^ and $, word boundaries, classes within classes, POSIX
// classes, named groups, x{1,2}+ and the like. A pattern that is wrong in itself is left
// for PCRE2 to refuse.
//
// General categories come from Unicode 14 in PCRE2 10.42 and from Unicode 16 in the
// Oniguruma of Hugging Face's tokenizers 0.21 and later: letters that are newer than
// PCRE2 may be cut differently.
Result<std::string> TranslatePattern(std::string_view pattern);

}  // namespace ridgeline::tokenizers
