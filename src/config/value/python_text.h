// How Python prints and reads plain values. Messages, string interpolation and
// YAML quoting depend on it to the letter.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/value/value.h"

namespace ridgeline::config {

// repr(x) of a float: shortest text that reads back, "1e+16", "1.0", "inf", "nan".
std::string FloatRepr(double value);

// str(x) and repr(x): None, True, 1000.0, {'x': 1}, ['a'], b'..'; strings differ
// only in that repr quotes and escapes them.
std::string Str(const Value& value);
std::string Repr(const Value& value);
std::string Repr(std::string_view text);
// A std::string or a literal would be as good a Value as a string_view.
inline std::string Repr(const std::string& text) { return Repr(std::string_view(text)); }
inline std::string Repr(const char* text) { return Repr(std::string_view(text)); }

// type(x).__name__: NoneType, bool, int, float, str, bytes, list, dict, set, date.
std::string TypeName(const Value& value);

// int(text) and float(text) as Python accepts them (surrounding whitespace,
// underscores between digits, inf/nan, Unicode decimal digits); empty on ValueError.
std::optional<Integer> ParsePythonInt(std::string_view text);
std::optional<double> ParsePythonFloat(std::string_view text);

}  // namespace ridgeline::config
