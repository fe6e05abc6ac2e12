// The parsed value after the '=' of an override: an element (a number, string, list or
// dict) or a sweep over elements.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/overrides/number.h"
#include "config/value/value.h"

namespace ridgeline::config {

// A string written in quotes. The quotes are preserved, so that 'a,b' does not become a
// sweep when a sweeper passes it to a job.
struct QuotedString {
  char quote = '\'';
  std::string text;  // Unescaped, without the quotes.
  friend bool operator==(const QuotedString&, const QuotedString&) = default;
};

class ParsedValue;
using ParsedList = std::vector<ParsedValue>;
using ParsedDict = OrderedMap<ParsedValue>;
using Tags = std::set<std::string>;

// a,b,c (the simple form) or choice(a,b,c).
struct ChoiceSweep {
  ParsedList list;
  bool simple_form = false;
  bool shuffle = false;
  Tags tags;
};

// range(start, stop, step): stop is exclusive, as in Python.
struct RangeSweep {
  Number start;
  Number stop;
  Number step;
  bool shuffle = false;
  Tags tags;

  // All integers: exact integer arithmetic; otherwise Python's decimal arithmetic.
  bool IsWhole() const;
};

// interval(start, end): continuous; supported only by some sweepers.
struct IntervalSweep {
  Number start;
  Number end;
  Tags tags;
};

// glob(include, exclude): options of a config group. The patterns should be strings, but
// a list of patterns may contain anything until it is used.
struct Glob {
  ParsedList include;
  ParsedList exclude;
};

class ParsedValue {
 public:
  using Data = std::variant<Scalar, QuotedString, ParsedList, ParsedDict, ChoiceSweep,
                            RangeSweep, IntervalSweep, Glob>;

  ParsedValue() = default;
  // Implicit on purpose: every alternative is a parsed value.
  // NOLINTBEGIN(google-explicit-constructor)
  ParsedValue(Scalar value) : data_(std::move(value)) {}
  ParsedValue(bool value) : data_(Scalar(value)) {}
  ParsedValue(Integer value) : data_(Scalar(std::move(value))) {}
  ParsedValue(double value) : data_(Scalar(value)) {}
  ParsedValue(std::string value) : data_(Scalar(std::move(value))) {}
  ParsedValue(const char* value) : data_(Scalar(std::string(value))) {}
  ParsedValue(QuotedString value) : data_(std::move(value)) {}
  ParsedValue(ParsedList value) : data_(std::move(value)) {}
  ParsedValue(ParsedDict value) : data_(std::move(value)) {}
  ParsedValue(ChoiceSweep value) : data_(std::move(value)) {}
  ParsedValue(RangeSweep value) : data_(std::move(value)) {}
  ParsedValue(IntervalSweep value) : data_(std::move(value)) {}
  ParsedValue(Glob value) : data_(std::move(value)) {}
  // NOLINTEND(google-explicit-constructor)

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&data_);
  }
  template <typename T>
  T* As() {
    return std::get_if<T>(&data_);
  }
  // The scalar's alternative; null for a different type or a non-scalar.
  template <typename T>
  const T* AsScalar() const {
    const Scalar* scalar = As<Scalar>();
    return scalar == nullptr ? nullptr : std::get_if<T>(scalar);
  }

  bool IsNull() const { return AsScalar<Null>() != nullptr; }
  bool IsNumber() const;  // bool, int or float.
  // Choice, range or interval; Hydra does not count a glob.
  bool IsSweep() const;

  const Data& data() const { return data_; }
  Data& data() { return data_; }

 private:
  Data data_;
};

// Requires IsNumber().
Number ToNumber(const ParsedValue& value);
Scalar ToScalar(const Number& number);

// type(x).__name__: int, str, QuotedString, RangeSweep, ...
std::string_view TypeName(const ParsedValue& value);

// repr(x), as arguments appear in Hydra's messages.
std::string Repr(const ParsedValue& value);

// Python's ==.
bool PythonEqual(const ParsedValue& a, const ParsedValue& b);

}  // namespace ridgeline::config
