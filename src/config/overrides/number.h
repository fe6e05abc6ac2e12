// Numbers of the override grammar, with Python's mixed arithmetic.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "config/value/integer.h"

namespace ridgeline::config {

// As in Python, bool counts as 0 or 1, but it prints as a bool.
using Number = std::variant<bool, Integer, double>;

bool IsWhole(const Number& number);

// The value of a bool or integer; requires IsWhole().
Integer ToInteger(const Number& number);

// float(x); empty if the integer is too large (OverflowError in Python).
std::optional<double> ToDouble(const Number& number);

// a < b with Python's semantics: exact; false if either is nan.
bool Less(const Number& a, const Number& b);

// a == b; nan equals nothing.
bool Equal(const Number& a, const Number& b);

// a + b; empty if one is a float and the other an integer too large for one.
std::optional<Number> Add(const Number& a, const Number& b);

Number Negate(const Number& number);
Number Absolute(const Number& number);

}  // namespace ridgeline::config
