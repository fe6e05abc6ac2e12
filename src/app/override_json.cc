#include "app/override_json.h"

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "config/overrides/sweep_iterator.h"
#include "config/value/python_text.h"

namespace ridgeline::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShownValues = 64;
// Shuffled values are sorted before comparing, so many more are needed.
constexpr size_t kShownShuffledValues = 100'000;

Json Typed(std::string_view type, Json value) {
  return Json{{"t", type}, {"v", std::move(value)}};
}

Json ScalarJson(const config::Scalar& scalar) {
  struct Visitor {
    Json operator()(const config::Null&) const { return Json{{"t", "null"}}; }
    Json operator()(bool flag) const { return Typed("bool", flag); }
    Json operator()(const config::Integer& integer) const {
      return Typed("int", integer.ToString());
    }
    Json operator()(double number) const {
      return Typed("float", config::FloatRepr(number));
    }
    Json operator()(const std::string& text) const { return Typed("str", text); }
    // Overrides cannot contain the last two.
    Json operator()(const config::Bytes& bytes) const {
      return Typed("bytes", bytes.data);
    }
    Json operator()(const config::Opaque& opaque) const {
      return Typed(opaque.type_name, opaque.text);
    }
  };
  return std::visit(Visitor{}, scalar);
}

Json NumberJson(const config::Number& number) {
  return ScalarJson(config::ToScalar(number));
}

Json ListJson(const config::ParsedList& list) {
  Json items = Json::array();
  for (const config::ParsedValue& item : list) items.push_back(ToJson(item));
  return items;
}

struct ValueVisitor {
  Json operator()(const config::Scalar& scalar) const { return ScalarJson(scalar); }
  Json operator()(const config::QuotedString& quoted) const {
    return Json{{"t", "quoted"}, {"q", std::string(1, quoted.quote)}, {"v", quoted.text}};
  }
  Json operator()(const config::ParsedList& list) const {
    return Typed("list", ListJson(list));
  }
  Json operator()(const config::ParsedDict& dict) const {
    Json entries = Json::array();
    for (const auto& [key, value] : dict) {
      entries.push_back(Json::array({ScalarJson(key), ToJson(value)}));
    }
    return Typed("dict", std::move(entries));
  }
  Json operator()(const config::ChoiceSweep& sweep) const {
    return Json{{"t", "choice"},
                {"simple_form", sweep.simple_form},
                {"shuffle", sweep.shuffle},
                {"tags", sweep.tags},
                {"v", ListJson(sweep.list)}};
  }
  Json operator()(const config::RangeSweep& sweep) const {
    return Json{{"t", "range"},
                {"shuffle", sweep.shuffle},
                {"tags", sweep.tags},
                {"start", NumberJson(sweep.start)},
                {"stop", NumberJson(sweep.stop)},
                {"step", NumberJson(sweep.step)}};
  }
  Json operator()(const config::IntervalSweep& sweep) const {
    return Json{{"t", "interval"},
                {"tags", sweep.tags},
                {"start", NumberJson(sweep.start)},
                {"end", NumberJson(sweep.end)}};
  }
  Json operator()(const config::Glob& glob) const {
    return Json{{"t", "glob"},
                {"include", Typed("list", ListJson(glob.include))},
                {"exclude", Typed("list", ListJson(glob.exclude))}};
  }
};

std::string_view OverrideTypeName(config::OverrideType type) {
  switch (type) {
    case config::OverrideType::kChange:
      return "CHANGE";
    case config::OverrideType::kAdd:
      return "ADD";
    case config::OverrideType::kForceAdd:
      return "FORCE_ADD";
    case config::OverrideType::kDelete:
      return "DEL";
  }
  return "";
}

// The only Python class without an error kind.
std::string_view ErrorClass(const config::Error& error) {
  if (error.message == "[<class 'decimal.InvalidOperation'>]") return "InvalidOperation";
  return config::ClassName(error.kind);
}

bool IsShuffled(const config::ParsedValue& value) {
  if (const auto* choice = value.As<config::ChoiceSweep>()) return choice->shuffle;
  if (const auto* range = value.As<config::RangeSweep>()) return range->shuffle;
  return false;
}

struct Expansion {
  std::vector<std::string> values;
  bool truncated = false;
};

config::Result<Expansion> FirstValues(const config::Override& override, size_t limit) {
  std::mt19937 random(config::kDefaultShuffleSeed);
  RIDGELINE_TRY(config::SweepIterator iterator,
                config::SweepIterator::Create(override, nullptr, random));
  Expansion expansion;
  while (true) {
    RIDGELINE_TRY(std::optional<std::string> value, iterator.Next());
    if (!value) return expansion;
    if (expansion.values.size() >= limit) {
      expansion.truncated = true;
      return expansion;
    }
    expansion.values.push_back(*std::move(value));
  }
}

void AddSweep(const config::Override& override, Json& json) {
  const bool shuffled = IsShuffled(override.value);
  config::Result<Expansion> expansion =
      FirstValues(override, shuffled ? kShownShuffledValues : kShownValues);
  if (!expansion.ok()) {
    const config::Error& error = expansion.error();
    json["sweep_error"] = {{"class", ErrorClass(error)}, {"message", error.message}};
    return;
  }
  std::vector<std::string>& values = expansion.value().values;
  if (shuffled) {
    std::sort(values.begin(), values.end());
    json["sweep_multiset"] = values;
    return;
  }
  if (expansion.value().truncated) json["sweep_truncated"] = true;
  json["sweep"] = values;
}

void AddElement(const config::Override& override, Json& json) {
  const config::Result<std::string> text = override.ValueElementAsString();
  if (text.ok()) {
    json["as_str"] = text.value();
  } else {
    json["as_str_error"] = {{"class", ErrorClass(text.error())}};
  }
}

}  // namespace

Json ToJson(const config::ParsedValue& value) {
  return std::visit(ValueVisitor{}, value.data());
}

Json ToJson(const config::Override& override) {
  const auto& type = override.value_type;
  Json json = {{"ok", true},
               {"type", OverrideTypeName(override.type)},
               {"key", override.key_or_group},
               {"package", override.package ? Json(*override.package) : Json()},
               {"value_type", type ? Json(config::ValueTypeName(*type)) : Json()},
               {"value", ToJson(override.value)},
               {"key_element", override.KeyElement()},
               {"is_hydra", override.IsHydra()}};
  if (type == config::ValueType::kElement) {
    AddElement(override, json);
  } else if (override.IsDiscreteSweep() && type != config::ValueType::kGlobChoiceSweep) {
    // The values of a glob depend on the options of its group.
    AddSweep(override, json);
  }
  return json;
}

Json ToJson(const config::OverrideError& error) {
  return Json{{"ok", false},
              {"kind", config::OverrideFaultName(error.fault)},
              {"class", ErrorClass(error)},
              {"message", error.message}};
}

Json ParsedOverrideJson(std::string_view line) {
  const auto parsed = config::ParseOverride(line);
  return parsed.ok() ? ToJson(parsed.value()) : ToJson(parsed.error());
}

}  // namespace ridgeline::app
