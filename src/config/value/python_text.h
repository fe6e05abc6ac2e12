// Printing and parsing of plain values exactly as in Python. Messages, string
// interpolation and YAML quoting depend on it to the letter.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/value/value.h"

namespace ridgeline::config {

// repr(x) of a float: shortest text that round-trips, "1e+16", "1.0", "inf", "nan".
std::string FloatRepr(double value);

// str(x) and repr(x): None, True, 1000.0, {'x': 1}, ['a'], b'..'; the only difference is
// that repr quotes and escapes strings.
std::string Str(const Value& value);
std::string Repr(const Value& value);
std::string Repr(std::string_view text);
// Without these, std::string and literals would be ambiguous: both convert to Value and
// to string_view.
inline std::string Repr(const std::string& text) { return Repr(std::string_view(text)); }
inline std::string Repr(const char* text) { return Repr(std::string_view(text)); }

// type(x).__name__: NoneType, bool, int, float, str, bytes, list, dict, set, date.
std::string TypeName(const Value& value);

// int(text) and float(text) as Python accepts them (surrounding whitespace,
// underscores between digits, inf/nan, Unicode decimal digits); empty on ValueError.
std::optional<Integer> ParsePythonInt(std::string_view text);
std::optional<double> ParsePythonFloat(std::string_view text);

}  // namespace ridgeline::config
