#include "config/overrides/function_signature.h"

#include <algorithm>
#include <string>

namespace ridgeline::config {
namespace {

TypeSet TypeOf(const Scalar& scalar) {
  struct Visitor {
    TypeSet operator()(const Null&) const { return kNoneType; }
    TypeSet operator()(bool) const { return kBoolType; }
    TypeSet operator()(const Integer&) const { return kIntType & ~kBoolType; }
    TypeSet operator()(double) const { return kFloatType; }
    TypeSet operator()(const std::string&) const { return kStrType; }
    TypeSet operator()(const Bytes&) const { return 0; }
    TypeSet operator()(const Opaque&) const { return 0; }
  };
  return std::visit(Visitor{}, scalar);
}

TypeSet TypeOf(const ParsedValue& value) {
  struct Visitor {
    TypeSet operator()(const Scalar& scalar) const { return TypeOf(scalar); }
    TypeSet operator()(const QuotedString&) const { return kQuotedType; }
    TypeSet operator()(const ParsedList&) const { return kListType; }
    TypeSet operator()(const ParsedDict&) const { return kDictType; }
    TypeSet operator()(const ChoiceSweep&) const { return kChoiceType; }
    TypeSet operator()(const RangeSweep&) const { return kRangeType; }
    TypeSet operator()(const IntervalSweep&) const { return kIntervalType; }
    TypeSet operator()(const Glob&) const { return kGlobType; }
  };
  return std::visit(Visitor{}, value.data());
}

void Unquote(ParsedValue& value) {
  if (QuotedString* quoted = value.As<QuotedString>()) {
    value = ParsedValue(std::move(quoted->text));
  }
}

const std::pair<std::string_view, ParsedValue>* FindNamed(const FunctionCall& call,
                                                          std::string_view name) {
  const auto found =
      std::find_if(call.named.begin(), call.named.end(),
                   [name](const auto& entry) { return entry.first == name; });
  return found == call.named.end() ? nullptr : &*found;
}

bool TakesPosition(ParameterKind kind) {
  return kind == ParameterKind::kRequired || kind == ParameterKind::kOptional;
}

Evaluated<std::monostate> BindPositional(std::span<const Parameter> parameters,
                                         FunctionCall& call, BoundArguments& bound) {
  for (size_t i = 0; i < call.positional.size(); ++i) {
    if (i >= parameters.size()) return TypeErrorOf("too many positional arguments");
    const Parameter& parameter = parameters[i];
    if (parameter.kind == ParameterKind::kRest) {
      bound.rest.assign(std::make_move_iterator(call.positional.begin() +
                                                static_cast<std::ptrdiff_t>(i)),
                        std::make_move_iterator(call.positional.end()));
      break;
    }
    if (!TakesPosition(parameter.kind))
      return TypeErrorOf("too many positional arguments");
    if (FindNamed(call, parameter.name) != nullptr) {
      return TypeErrorOf("multiple values for argument '" + std::string(parameter.name) +
                         "'");
    }
    bound.named[i] = std::move(call.positional[i]);
  }
  return std::monostate();
}

Evaluated<std::monostate> BindNamed(std::span<const Parameter> parameters,
                                    FunctionCall& call, BoundArguments& bound) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    if (parameter.kind == ParameterKind::kRest || bound.named[i]) continue;
    if (const auto* entry = FindNamed(call, parameter.name)) {
      bound.named[i] = entry->second;
    } else if (parameter.kind == ParameterKind::kRequired) {
      return TypeErrorOf("missing a required argument: '" + std::string(parameter.name) +
                         "'");
    }
  }
  for (const auto& entry : call.named) {
    const std::string_view name = entry.first;
    const bool known = std::any_of(
        parameters.begin(), parameters.end(), [&](const Parameter& parameter) {
          return parameter.name == name && parameter.kind != ParameterKind::kRest;
        });
    if (!known) {
      return TypeErrorOf("got an unexpected keyword argument '" + std::string(name) +
                         "'");
    }
  }
  return std::monostate();
}

Evaluated<std::monostate> CheckType(const ParsedValue& value, const Parameter& parameter,
                                    const std::string& shown_name) {
  if (IsOfType(value, parameter.types)) return std::monostate();
  return TypeErrorOf("mismatch type argument " + shown_name + ": " +
                     std::string(TypeName(value)) + " is incompatible with " +
                     std::string(parameter.type_text));
}

Evaluated<std::monostate> CheckTypes(std::span<const Parameter> parameters,
                                     const BoundArguments& bound) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    const std::string name(parameter.name);
    if (parameter.kind == ParameterKind::kRest) {
      for (size_t k = 0; k < bound.rest.size(); ++k) {
        RIDGELINE_RETURN_IF_ERROR(
            CheckType(bound.rest[k], parameter, name + "[" + std::to_string(k) + "]"));
      }
    } else if (bound.named[i]) {
      RIDGELINE_RETURN_IF_ERROR(CheckType(*bound.named[i], parameter, name));
    }
  }
  return std::monostate();
}

}  // namespace

bool IsOfType(const ParsedValue& value, TypeSet types) {
  return (TypeOf(value) & types) != 0;
}

Evaluated<BoundArguments> BindArguments(std::span<const Parameter> parameters,
                                        FunctionCall call) {
  std::for_each(call.positional.begin(), call.positional.end(), Unquote);
  for (auto& entry : call.named) Unquote(entry.second);
  BoundArguments bound;
  bound.named.resize(parameters.size());
  RIDGELINE_RETURN_IF_ERROR(BindPositional(parameters, call, bound));
  RIDGELINE_RETURN_IF_ERROR(BindNamed(parameters, call, bound));
  RIDGELINE_RETURN_IF_ERROR(CheckTypes(parameters, bound));
  return bound;
}

}  // namespace ridgeline::config
