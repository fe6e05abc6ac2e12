// Tools spell the same kernel differently: nsys writes "(int)128" and namespaces, ncu
// prints "128" and drops scopes before "::", PyTorch writes "2ul> >".
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::profiles {

// A regular expression (Perl's, as read by ncu, or ECMAScript's) that matches the whole
// name of the kernel as spelled in `demangled` and by the other tools: with or without
// casts before template arguments, integer suffixes, blanks next to punctuation, and
// namespaces, which ncu drops together with the next character unless that begins a name
// ("at::native::<unnamed>::f" is "unnamed>::f").
//
// Parts missing from `demangled` are not added: a name without namespaces does not match
// one with namespaces.
std::string NcuNamePattern(std::string_view demangled);

// Matches exactly this text, as part of a regular expression of either kind.
std::string RegexQuoted(std::string_view text);

}  // namespace ridgeline::profiles
