// The same kernel is spelled in several ways: nsys writes "(int)128" and namespaces, ncu
// prints "128" and drops what stands before "::", PyTorch writes "2ul> >".
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::profiles {

// A regular expression (Perl's, which ncu reads, or ECMAScript's) that matches the whole
// of the kernel's name as `demangled` spells it, and as the other tools do: with or
// without casts before template arguments, suffixes of integers, blanks beside
// punctuation, and names of namespaces, which ncu drops together with the character
// behind them if that begins no name ("at::native::<unnamed>::f" is "unnamed>::f").
//
// What `demangled` lacks is not made up: a name without its namespaces does not match one
// that has them.
std::string NcuNamePattern(std::string_view demangled);

// What matches exactly this text, as a part of a regular expression of either kind.
std::string RegexQuoted(std::string_view text);

}  // namespace ridgeline::profiles
