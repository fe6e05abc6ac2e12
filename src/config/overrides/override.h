// One command-line override, e.g. "+db@src=postgres,mysql", with Hydra's semantics.
#pragma once

#include <optional>
#include <string>

#include "config/error.h"
#include "config/overrides/parsed_value.h"
#include "config/value/value.h"

namespace ridgeline::config {

enum class OverrideType {
  kChange,    // key=value
  kAdd,       // +key=value
  kForceAdd,  // ++key=value
  kDelete,    // ~key or ~key=value
};

enum class ValueType {
  kElement,
  kSimpleChoiceSweep,
  kChoiceSweep,
  kRangeSweep,
  kIntervalSweep,
  kGlobChoiceSweep,
};

// "CHOICE_SWEEP", ...: the names used in Hydra's messages.
std::string_view ValueTypeName(ValueType type);

struct Override {
  OverrideType type = OverrideType::kChange;
  std::string key_or_group;             // "a.b.0" or "db/engine"; may be empty.
  std::optional<std::string> package;   // The part after '@'; "" is a package too.
  std::optional<ValueType> value_type;  // Empty for a bare "~key".
  ParsedValue value;                    // None for a bare "~key".
  std::string input_line;               // As written.

  // Anything but a single element: needs --multirun.
  bool IsSweep() const { return value_type && *value_type != ValueType::kElement; }
  // A sweep that can be enumerated: not an interval.
  bool IsDiscreteSweep() const {
    return IsSweep() && *value_type != ValueType::kIntervalSweep;
  }
  // Whether it configures Hydra itself.
  bool IsHydra() const;

  // "+db@src": overrides with the same key element are duplicates in a sweep.
  std::string KeyElement() const;

  // The element as plain data, with quotes removed from strings. An error for sweeps,
  // including those nested in a list or dict: a configuration cannot contain them.
  Result<Value> PlainValue() const;

  // The element as text that parses back to the same element: "x y" becomes "x\ y", 1e3
  // becomes 1000.0. Same errors as PlainValue().
  Result<std::string> ValueElementAsString() const;
};

// ValueElementAsString() of any parsed value.
Result<std::string> RenderElement(const ParsedValue& value);

}  // namespace ridgeline::config
