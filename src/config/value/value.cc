#include "config/value/value.h"

#include <cmath>
#include <functional>
#include <optional>

namespace ridgeline::config {
namespace {

// In Python, True and False are the integers 1 and 0.
std::optional<Integer> AsInteger(const Scalar& scalar) {
  if (const bool* truth = std::get_if<bool>(&scalar)) return Integer(*truth ? 1 : 0);
  if (const Integer* integer = std::get_if<Integer>(&scalar)) return *integer;
  return std::nullopt;
}

bool EqualNumbers(const Scalar& a, const Scalar& b) {
  const double* a_float = std::get_if<double>(&a);
  const double* b_float = std::get_if<double>(&b);
  if (a_float != nullptr && b_float != nullptr) return *a_float == *b_float;
  const std::optional<Integer> integer = AsInteger(a_float == nullptr ? a : b);
  if (!integer) return false;
  if (a_float == nullptr && b_float == nullptr) {
    const std::optional<Integer> other = AsInteger(b);
    return other && *integer == *other;
  }
  const double number = a_float != nullptr ? *a_float : *b_float;
  return std::isfinite(number) && Integer::Compare(*integer, number) == 0;
}

size_t HashOf(const Integer& value) {
  return value.fits_int64() ? std::hash<int64_t>()(value.AsInt64())
                            : std::hash<std::string>()(value.ToString());
}

bool EqualDicts(const Dict& a, const Dict& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [key, value] : a) {
    const Value* other = b.Find(key);
    if (other == nullptr || !PythonEqual(value, *other)) return false;
  }
  return true;
}

bool EqualLists(const List& a, const List& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!PythonEqual(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace

bool PythonEqual(const Scalar& a, const Scalar& b) {
  // Fast path: two string keys.
  const std::string* a_text = std::get_if<std::string>(&a);
  const std::string* b_text = std::get_if<std::string>(&b);
  if (a_text != nullptr || b_text != nullptr) {
    return a_text != nullptr && b_text != nullptr && *a_text == *b_text;
  }
  if (std::holds_alternative<Null>(a) || std::holds_alternative<Bytes>(a) ||
      std::holds_alternative<Opaque>(a)) {
    return a == b;
  }
  return EqualNumbers(a, b);
}

size_t PythonHash(const Scalar& scalar) {
  if (const std::string* text = std::get_if<std::string>(&scalar)) {
    return std::hash<std::string>()(*text);
  }
  if (const std::optional<Integer> integer = AsInteger(scalar)) return HashOf(*integer);
  if (const double* number = std::get_if<double>(&scalar)) {
    if (!std::isfinite(*number) || *number != std::trunc(*number)) {
      return std::hash<double>()(*number);
    }
    return HashOf(Integer::FromDouble(*number));
  }
  if (const Bytes* bytes = std::get_if<Bytes>(&scalar)) {
    return std::hash<std::string>()(bytes->data);
  }
  if (const Opaque* opaque = std::get_if<Opaque>(&scalar)) {
    return std::hash<std::string>()(opaque->text);
  }
  return 0;
}

bool PythonEqual(const Value& a, const Value& b) {
  if (a.is_scalar() && b.is_scalar()) return PythonEqual(a.scalar(), b.scalar());
  if (a.is_list() && b.is_list()) return EqualLists(a.list(), b.list());
  if (a.is_dict() && b.is_dict()) return EqualDicts(a.dict(), b.dict());
  return false;
}

}  // namespace ridgeline::config
