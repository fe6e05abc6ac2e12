#include <algorithm>
#include <random>
#include <string>

#include "config/overrides/function_call.h"
#include "config/overrides/function_cast.h"
#include "config/overrides/function_signature.h"
#include "config/overrides/function_sort.h"

namespace ridgeline::config {
namespace {

struct CallArguments {
  BoundArguments bound;
  uint32_t shuffle_seed = 0;
};

constexpr std::string_view kCastText =
    "Optional[Union[str, int, float, bool, List[Any], Dict[str, Any], QuotedString, "
    "Sweep]]";
constexpr std::string_view kListSweepText =
    "Union[str, int, bool, float, list, dict, ChoiceSweep, RangeSweep]";
constexpr std::string_view kNumberText = "Union[int, float]";

constexpr Parameter kCastParameters[] = {
    {"args", ParameterKind::kRest, kParsedElementTypes | kSweepTypes, kCastText},
    {"value", ParameterKind::kNamedOnly, kParsedElementTypes | kSweepTypes, kCastText},
};
constexpr Parameter kChoiceParameters[] = {
    {"args", ParameterKind::kRest, kElementTypes | kChoiceType,
     "Union[str, int, float, bool, Dict[Any, Any], List[Any], ChoiceSweep]"},
};
constexpr Parameter kRangeParameters[] = {
    {"start", ParameterKind::kRequired, kNumberTypes, kNumberText},
    {"stop", ParameterKind::kOptional, kNumberTypes | kNoneType,
     "Optional[Union[int, float]]"},
    {"step", ParameterKind::kOptional, kNumberTypes, kNumberText},
};
constexpr Parameter kIntervalParameters[] = {
    {"start", ParameterKind::kRequired, kNumberTypes, kNumberText},
    {"end", ParameterKind::kRequired, kNumberTypes, kNumberText},
};
constexpr Parameter kTagParameters[] = {
    {"args", ParameterKind::kRest, kStrType | kSweepTypes, "Union[str, Sweep]"},
    {"sweep", ParameterKind::kNamedOnly, kSweepTypes | kNoneType, "Optional[Sweep]"},
};
// shuffle() has no `reverse`.
constexpr Parameter kSortParameters[] = {
    {"args", ParameterKind::kRest, kElementTypes | kChoiceType | kRangeType,
     kListSweepText},
    {"sweep", ParameterKind::kNamedOnly, kChoiceType | kRangeType | kNoneType,
     "Optional[Union[ChoiceSweep, RangeSweep]]"},
    {"list", ParameterKind::kNamedOnly, kListType | kNoneType, "Optional[List[Any]]"},
    {"reverse", ParameterKind::kNamedOnly, kBoolType, "bool"},
};
constexpr Parameter kGlobParameters[] = {
    {"include", ParameterKind::kRequired, kListType | kStrType, "Union[List[str], str]"},
    {"exclude", ParameterKind::kOptional, kListType | kStrType | kNoneType,
     "Optional[Union[str, List[str]]]"},
};

// Several arguments mean a sweep over them; sweeps cannot be nested.
Evaluated<ChoiceSweep> SimpleChoice(ParsedList items) {
  const bool elements = std::all_of(
      items.begin(), items.end(),
      [](const ParsedValue& item) { return IsOfType(item, kParsedElementTypes); });
  if (!elements) return Raised{"AssertionError", ""};
  ChoiceSweep sweep;
  sweep.list = std::move(items);
  sweep.simple_form = true;
  return sweep;
}

Evaluated<ParsedValue> EvaluateCast(CallArguments& arguments, CastTarget target) {
  ParsedList& rest = arguments.bound.rest;
  const ParsedValue* value = arguments.bound.Get(1);
  if (value != nullptr) {
    if (!rest.empty()) return TypeErrorOf("cannot use both position and named arguments");
    return Cast(*value, target);
  }
  if (rest.empty()) return TypeErrorOf("No positional args or value specified");
  if (rest.size() == 1) return Cast(rest.front(), target);
  RIDGELINE_TRY(ChoiceSweep sweep, SimpleChoice(std::move(rest)));
  return Cast(ParsedValue(std::move(sweep)), target);
}

Evaluated<ParsedValue> EvaluateInt(CallArguments& arguments) {
  return EvaluateCast(arguments, CastTarget::kInt);
}
Evaluated<ParsedValue> EvaluateFloat(CallArguments& arguments) {
  return EvaluateCast(arguments, CastTarget::kFloat);
}
Evaluated<ParsedValue> EvaluateStr(CallArguments& arguments) {
  return EvaluateCast(arguments, CastTarget::kStr);
}
Evaluated<ParsedValue> EvaluateBool(CallArguments& arguments) {
  return EvaluateCast(arguments, CastTarget::kBool);
}

Evaluated<ParsedValue> EvaluateChoice(CallArguments& arguments) {
  ParsedList& items = arguments.bound.rest;
  if (items.empty()) return ValueErrorOf("empty choice is not legal");
  ChoiceSweep* only = items.size() == 1 ? items.front().As<ChoiceSweep>() : nullptr;
  if (only == nullptr) {
    ChoiceSweep sweep;
    sweep.list = std::move(items);
    return ParsedValue(std::move(sweep));
  }
  if (!only->simple_form) return ValueErrorOf("nesting choices is not supported");
  only->simple_form = false;
  return std::move(items.front());
}

Evaluated<ParsedValue> EvaluateRange(CallArguments& arguments) {
  const BoundArguments& bound = arguments.bound;
  const Number first = ToNumber(*bound.Get(0));
  const ParsedValue* stop = bound.Get(1);
  const ParsedValue* step = bound.Get(2);
  RangeSweep sweep;
  sweep.start = stop == nullptr ? Number(Integer(0)) : first;
  sweep.stop = stop == nullptr ? first : ToNumber(*stop);
  sweep.step = step == nullptr ? Number(Integer(1)) : ToNumber(*step);
  return ParsedValue(std::move(sweep));
}

Evaluated<ParsedValue> EvaluateInterval(CallArguments& arguments) {
  const std::optional<double> start = ToDouble(ToNumber(*arguments.bound.Get(0)));
  const std::optional<double> end = ToDouble(ToNumber(*arguments.bound.Get(1)));
  if (!start || !end) return Raised{"OverflowError", "int too large to convert to float"};
  return ParsedValue(IntervalSweep{.start = *start, .end = *end, .tags = {}});
}

Tags* TagsOf(ParsedValue& value) {
  if (ChoiceSweep* choice = value.As<ChoiceSweep>()) return &choice->tags;
  if (RangeSweep* range = value.As<RangeSweep>()) return &range->tags;
  if (IntervalSweep* interval = value.As<IntervalSweep>()) return &interval->tags;
  return nullptr;
}

Evaluated<ParsedValue> EvaluateTag(CallArguments& arguments) {
  ParsedList& items = arguments.bound.rest;
  if (items.empty()) {
    return ValueErrorOf("Not enough arguments to tag, must take at least a sweep");
  }
  if (const ParsedValue* named = arguments.bound.Get(1)) items.push_back(*named);
  ParsedValue sweep = std::move(items.back());
  items.pop_back();
  Tags* sweep_tags = TagsOf(sweep);
  if (sweep_tags == nullptr) {
    return ValueErrorOf(
        "Last argument to tag() must be a choice(), range() or interval(), got NoneType");
  }
  Tags tags;
  for (ParsedValue& item : items) {
    const std::string* tag = item.AsScalar<std::string>();
    if (tag == nullptr) {
      return ValueErrorOf("tag arguments type must be string, got " +
                          std::string(TypeName(item)));
    }
    tags.insert(*tag);
  }
  *sweep_tags = std::move(tags);
  return sweep;
}

ParsedValue Shuffled(ParsedValue value, uint32_t seed) {
  if (ChoiceSweep* choice = value.As<ChoiceSweep>()) {
    choice->shuffle = true;
  } else if (RangeSweep* range = value.As<RangeSweep>()) {
    range->shuffle = true;
  } else if (ParsedList* list = value.As<ParsedList>()) {
    std::shuffle(list->begin(), list->end(), std::mt19937(seed));
  } else {
    ParsedList single;
    single.push_back(std::move(value));
    return ParsedValue(std::move(single));
  }
  return value;
}

Evaluated<ParsedValue> EvaluateShuffle(CallArguments& arguments) {
  BoundArguments& bound = arguments.bound;
  if (const ParsedValue* list = bound.Get(2))
    return Shuffled(*list, arguments.shuffle_seed);
  if (const ParsedValue* sweep = bound.Get(1)) {
    return Shuffled(*sweep, arguments.shuffle_seed);
  }
  if (bound.rest.size() == 1) {
    return Shuffled(std::move(bound.rest.front()), arguments.shuffle_seed);
  }
  RIDGELINE_TRY(ChoiceSweep sweep, SimpleChoice(std::move(bound.rest)));
  sweep.shuffle = true;
  return ParsedValue(std::move(sweep));
}

// Anything other than a list or sweep is already sorted.
Evaluated<ParsedValue> SortedValue(ParsedValue value, SortOrder order) {
  if (ChoiceSweep* choice = value.As<ChoiceSweep>()) {
    RIDGELINE_TRY(choice->list, Sorted(std::move(choice->list), order));
  } else if (RangeSweep* range = value.As<RangeSweep>()) {
    RIDGELINE_TRY(*range, SortedRange(std::move(*range), order));
  } else if (ParsedList* list = value.As<ParsedList>()) {
    RIDGELINE_TRY(*list, Sorted(std::move(*list), order));
  }
  return value;
}

Raised InvalidArguments(const ParsedList& items) {
  std::string text;
  for (const ParsedValue& item : items) text += (text.empty() ? "(" : ", ") + Repr(item);
  return TypeErrorOf("Invalid arguments: " + text + ")");
}

Evaluated<ParsedValue> EvaluateSort(CallArguments& arguments) {
  BoundArguments& bound = arguments.bound;
  const ParsedValue* reverse = bound.Get(3);
  const bool descending = reverse != nullptr && *reverse->AsScalar<bool>();
  const SortOrder order = descending ? SortOrder::kDescending : SortOrder::kAscending;
  if (const ParsedValue* list = bound.Get(2)) return SortedValue(*list, order);
  if (const ParsedValue* sweep = bound.Get(1)) return SortedValue(*sweep, order);
  ParsedList& items = bound.rest;
  if (items.size() == 1) return SortedValue(std::move(items.front()), order);
  const bool primitive = std::all_of(
      items.begin(), items.end(),
      [](const ParsedValue& item) { return IsOfType(item, kNumberTypes | kStrType); });
  if (!primitive) return InvalidArguments(items);
  if (items.empty()) return ValueErrorOf("empty sort input");
  RIDGELINE_TRY(ChoiceSweep sweep, SimpleChoice(std::move(items)));
  return SortedValue(ParsedValue(std::move(sweep)), order);
}

ParsedList PatternList(const ParsedValue* patterns) {
  if (patterns == nullptr) return {};
  if (const ParsedList* list = patterns->As<ParsedList>()) return *list;
  return {*patterns};
}

Evaluated<ParsedValue> EvaluateGlob(CallArguments& arguments) {
  return ParsedValue(Glob{.include = PatternList(arguments.bound.Get(0)),
                          .exclude = PatternList(arguments.bound.Get(1))});
}

struct Function {
  std::string_view name;
  std::span<const Parameter> parameters;
  Evaluated<ParsedValue> (*evaluate)(CallArguments&);  // May move from the arguments.
};

// Sorted by name, as listed in the message about an unknown function.
const Function kFunctions[] = {
    {"bool", kCastParameters, EvaluateBool},
    {"choice", kChoiceParameters, EvaluateChoice},
    {"float", kCastParameters, EvaluateFloat},
    {"glob", kGlobParameters, EvaluateGlob},
    {"int", kCastParameters, EvaluateInt},
    {"interval", kIntervalParameters, EvaluateInterval},
    {"range", kRangeParameters, EvaluateRange},
    {"shuffle", std::span(kSortParameters).first(3), EvaluateShuffle},
    {"sort", kSortParameters, EvaluateSort},
    {"str", kCastParameters, EvaluateStr},
    {"tag", kTagParameters, EvaluateTag},
};

Raised UnknownFunction(std::string_view name) {
  std::string available;
  for (const Function& function : kFunctions) {
    if (!available.empty()) available += ",";
    available += function.name;
  }
  return {"HydraException",
          "Unknown function '" + std::string(name) + "'\nAvailable: " + available + "\n"};
}

}  // namespace

Evaluated<ParsedValue> EvaluateFunction(FunctionCall call) {
  for (const Function& function : kFunctions) {
    if (function.name != call.name) continue;
    const uint32_t seed = call.shuffle_seed;
    RIDGELINE_TRY(BoundArguments bound,
                  BindArguments(function.parameters, std::move(call)));
    CallArguments arguments{std::move(bound), seed};
    return function.evaluate(arguments);
  }
  return UnknownFunction(call.name);
}

}  // namespace ridgeline::config
