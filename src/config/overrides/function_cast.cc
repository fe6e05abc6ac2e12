#include "config/overrides/function_cast.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "config/overrides/function_signature.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

Raised OverflowErrorOf(std::string message) {
  return {"OverflowError", std::move(message)};
}

Evaluated<ParsedValue> ToPythonInt(const Scalar& scalar) {
  if (const bool* flag = std::get_if<bool>(&scalar)) return ParsedValue(Integer(*flag));
  if (const Integer* integer = std::get_if<Integer>(&scalar))
    return ParsedValue(*integer);
  if (const double* number = std::get_if<double>(&scalar)) {
    if (std::isnan(*number)) return ValueErrorOf("cannot convert float NaN to integer");
    if (std::isinf(*number)) {
      return OverflowErrorOf("cannot convert float infinity to integer");
    }
    return ParsedValue(Integer::FromDouble(*number));
  }
  const std::string& text = std::get<std::string>(scalar);
  if (std::optional<Integer> integer = ParsePythonInt(text)) return ParsedValue(*integer);
  return ValueErrorOf("invalid literal for int() with base 10: " +
                      Repr(std::string_view(text)));
}

Evaluated<ParsedValue> ToPythonFloat(const Scalar& scalar) {
  if (const std::string* text = std::get_if<std::string>(&scalar)) {
    if (std::optional<double> number = ParsePythonFloat(*text))
      return ParsedValue(*number);
    return ValueErrorOf("could not convert string to float: " +
                        Repr(std::string_view(*text)));
  }
  const std::optional<double> number = ToDouble(ToNumber(ParsedValue(scalar)));
  if (!number) return OverflowErrorOf("int too large to convert to float");
  return ParsedValue(*number);
}

Evaluated<ParsedValue> ToPythonStr(const Scalar& scalar) {
  if (const bool* flag = std::get_if<bool>(&scalar)) {
    return ParsedValue(*flag ? "true" : "false");
  }
  return ParsedValue(Str(Value(scalar)));
}

Evaluated<ParsedValue> ToPythonBool(const Scalar& scalar) {
  if (const bool* flag = std::get_if<bool>(&scalar)) return ParsedValue(*flag);
  if (const Integer* integer = std::get_if<Integer>(&scalar)) {
    return ParsedValue(!integer->IsZero());
  }
  // nan is true.
  if (const double* number = std::get_if<double>(&scalar)) {
    return ParsedValue(*number != 0);
  }
  const std::string* text = std::get_if<std::string>(&scalar);
  if (text == nullptr) return ParsedValue(false);
  std::string lower = *text;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (lower == "true") return ParsedValue(true);
  if (lower == "false") return ParsedValue(false);
  return ValueErrorOf("Cannot cast '" + *text + "' to bool");
}

Evaluated<ParsedValue> CastScalar(const Scalar& scalar, CastTarget target) {
  if (target == CastTarget::kBool) return ToPythonBool(scalar);
  // A bare assertion in Hydra, without a message.
  if (std::holds_alternative<Null>(scalar)) return Raised{"AssertionError", ""};
  switch (target) {
    case CastTarget::kInt:
      return ToPythonInt(scalar);
    case CastTarget::kFloat:
      return ToPythonFloat(scalar);
    case CastTarget::kStr:
    case CastTarget::kBool:
      break;
  }
  return ToPythonStr(scalar);
}

Evaluated<Number> CastNumber(const Number& number, CastTarget target) {
  RIDGELINE_TRY(const ParsedValue cast, CastScalar(ToScalar(number), target));
  return ToNumber(cast);
}

struct CastVisitor {
  CastTarget target;

  Evaluated<ParsedValue> operator()(const Scalar& scalar) const {
    return CastScalar(scalar, target);
  }
  Evaluated<ParsedValue> operator()(const QuotedString& quoted) const {
    return CastScalar(Scalar(quoted.text), target);
  }
  Evaluated<ParsedValue> operator()(const ParsedList& list) const {
    ParsedList cast;
    cast.reserve(list.size());
    for (const ParsedValue& item : list) {
      RIDGELINE_TRY(ParsedValue value, Cast(item, target));
      cast.push_back(std::move(value));
    }
    return ParsedValue(std::move(cast));
  }
  Evaluated<ParsedValue> operator()(const ParsedDict& dict) const {
    ParsedDict cast;
    for (const auto& [key, item] : dict) {
      RIDGELINE_TRY(ParsedValue value, Cast(item, target));
      cast.Set(key, std::move(value));
    }
    return ParsedValue(std::move(cast));
  }
  // Tags and shuffling are lost, as in Hydra.
  Evaluated<ParsedValue> operator()(const ChoiceSweep& sweep) const {
    ChoiceSweep cast{
        .list = {}, .simple_form = sweep.simple_form, .shuffle = false, .tags = {}};
    for (const ParsedValue& item : sweep.list) {
      RIDGELINE_TRY(ParsedValue value, Cast(item, target));
      if (!IsOfType(value, kElementTypes)) return Raised{"AssertionError", ""};
      cast.list.push_back(std::move(value));
    }
    return ParsedValue(std::move(cast));
  }
  Evaluated<ParsedValue> operator()(const RangeSweep& sweep) const {
    if (target != CastTarget::kInt && target != CastTarget::kFloat) {
      return ValueErrorOf("Range can only be cast to int or float");
    }
    RangeSweep cast;
    RIDGELINE_TRY(cast.start, CastNumber(sweep.start, target));
    RIDGELINE_TRY(cast.stop, CastNumber(sweep.stop, target));
    RIDGELINE_TRY(cast.step, CastNumber(sweep.step, target));
    return ParsedValue(std::move(cast));
  }
  Evaluated<ParsedValue> operator()(const IntervalSweep& sweep) const {
    if (target == CastTarget::kStr)
      return ValueErrorOf("Intervals cannot be cast to str");
    if (target == CastTarget::kBool)
      return ValueErrorOf("Intervals cannot be cast to bool");
    IntervalSweep cast;
    RIDGELINE_TRY(cast.start, CastNumber(sweep.start, target));
    RIDGELINE_TRY(cast.end, CastNumber(sweep.end, target));
    cast.tags = sweep.tags;
    return ParsedValue(std::move(cast));
  }
  // Only reached inside a list or dict: any object is true and supports no other cast.
  Evaluated<ParsedValue> operator()(const Glob&) const {
    if (target == CastTarget::kBool) return ParsedValue(true);
    return Raised{"AssertionError", ""};
  }
};

}  // namespace

Evaluated<ParsedValue> Cast(const ParsedValue& value, CastTarget target) {
  return std::visit(CastVisitor{target}, value.data());
}

}  // namespace ridgeline::config
