#include "config/overrides/number.h"

#include <cmath>

namespace ridgeline::config {
namespace {

// Python's three-way comparison; neither number may be nan.
int Compare(const Number& a, const Number& b) {
  const double* a_float = std::get_if<double>(&a);
  const double* b_float = std::get_if<double>(&b);
  if (a_float != nullptr && b_float != nullptr) {
    return *a_float < *b_float ? -1 : (*a_float > *b_float ? 1 : 0);
  }
  if (a_float != nullptr) return -Compare(b, a);
  if (b_float == nullptr) return Integer::Compare(ToInteger(a), ToInteger(b));
  if (std::isinf(*b_float)) return *b_float > 0 ? -1 : 1;
  return Integer::Compare(ToInteger(a), *b_float);
}

bool IsNan(const Number& number) {
  const double* value = std::get_if<double>(&number);
  return value != nullptr && std::isnan(*value);
}

}  // namespace

bool IsWhole(const Number& number) { return !std::holds_alternative<double>(number); }

Integer ToInteger(const Number& number) {
  if (const bool* value = std::get_if<bool>(&number)) return Integer(*value ? 1 : 0);
  return std::get<Integer>(number);
}

std::optional<double> ToDouble(const Number& number) {
  if (const double* value = std::get_if<double>(&number)) return *value;
  const double converted = ToInteger(number).ToDouble();
  if (std::isinf(converted)) return std::nullopt;
  return converted;
}

bool Less(const Number& a, const Number& b) {
  return !IsNan(a) && !IsNan(b) && Compare(a, b) < 0;
}

bool Equal(const Number& a, const Number& b) {
  return !IsNan(a) && !IsNan(b) && Compare(a, b) == 0;
}

std::optional<Number> Add(const Number& a, const Number& b) {
  if (IsWhole(a) && IsWhole(b)) return Number(ToInteger(a) + ToInteger(b));
  const std::optional<double> left = ToDouble(a);
  const std::optional<double> right = ToDouble(b);
  if (!left || !right) return std::nullopt;
  return Number(*left + *right);
}

Number Negate(const Number& number) {
  if (const double* value = std::get_if<double>(&number)) return -*value;
  return -ToInteger(number);
}

Number Absolute(const Number& number) {
  if (const double* value = std::get_if<double>(&number)) return std::fabs(*value);
  const Integer whole = ToInteger(number);
  return whole.IsNegative() ? -whole : whole;
}

}  // namespace ridgeline::config
