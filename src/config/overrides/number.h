// Numbers of the override grammar with Python's mixed arithmetic.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "config/value/integer.h"

namespace ridgeline::config {

// bool counts as 0 or 1, as in Python, but is kept for printing.
using Number = std::variant<bool, Integer, double>;

bool IsWhole(const Number& number);

// The value of a bool or an integer; only when IsWhole().
Integer ToInteger(const Number& number);

// float(x); empty when an integer is too large (Python's OverflowError).
std::optional<double> ToDouble(const Number& number);

// a < b as Python compares: exactly, and false if either is nan.
bool Less(const Number& a, const Number& b);

// a == b; nan equals nothing.
bool Equal(const Number& a, const Number& b);

// a + b; empty when an integer that meets a float is too large for one.
std::optional<Number> Add(const Number& a, const Number& b);

Number Negate(const Number& number);
Number Absolute(const Number& number);

}  // namespace ridgeline::config
