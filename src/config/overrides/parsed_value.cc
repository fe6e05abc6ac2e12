#include "config/overrides/parsed_value.h"

#include <algorithm>

#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

std::string_view TypeNameOf(const Scalar& scalar) {
  struct Visitor {
    std::string_view operator()(const Null&) const { return "NoneType"; }
    std::string_view operator()(bool) const { return "bool"; }
    std::string_view operator()(const Integer&) const { return "int"; }
    std::string_view operator()(double) const { return "float"; }
    std::string_view operator()(const std::string&) const { return "str"; }
    std::string_view operator()(const Bytes&) const { return "bytes"; }
    std::string_view operator()(const Opaque& opaque) const { return opaque.type_name; }
  };
  return std::visit(Visitor{}, scalar);
}

struct TypeNameVisitor {
  std::string_view operator()(const Scalar& scalar) const { return TypeNameOf(scalar); }
  std::string_view operator()(const QuotedString&) const { return "QuotedString"; }
  std::string_view operator()(const ParsedList&) const { return "list"; }
  std::string_view operator()(const ParsedDict&) const { return "dict"; }
  std::string_view operator()(const ChoiceSweep&) const { return "ChoiceSweep"; }
  std::string_view operator()(const RangeSweep&) const { return "RangeSweep"; }
  std::string_view operator()(const IntervalSweep&) const { return "IntervalSweep"; }
  std::string_view operator()(const Glob&) const { return "Glob"; }
};

std::string ReprOf(const Scalar& scalar) { return Repr(Value(scalar)); }
std::string ReprOf(const Number& number) { return ReprOf(ToScalar(number)); }
std::string ReprOf(bool flag) { return flag ? "True" : "False"; }

std::string ReprOf(const Tags& tags) {
  if (tags.empty()) return "set()";
  std::string text;
  for (const std::string& tag : tags) {
    text += text.empty() ? "{" : ", ";
    text += Repr(std::string_view(tag));
  }
  return text + "}";
}

std::string ReprOf(const ParsedList& list) {
  std::string text = "[";
  for (const ParsedValue& item : list) {
    if (text.size() > 1) text += ", ";
    text += Repr(item);
  }
  return text + "]";
}

struct ReprVisitor {
  std::string operator()(const Scalar& scalar) const { return ReprOf(scalar); }
  std::string operator()(const QuotedString& quoted) const {
    return "QuotedString(text=" + Repr(std::string_view(quoted.text)) + ", quote=" +
           (quoted.quote == '\'' ? "<Quote.single: 0>)" : "<Quote.double: 1>)");
  }
  std::string operator()(const ParsedList& list) const { return ReprOf(list); }
  std::string operator()(const ParsedDict& dict) const {
    std::string text = "{";
    for (const auto& [key, value] : dict) {
      if (text.size() > 1) text += ", ";
      text += ReprOf(key) + ": " + Repr(value);
    }
    return text + "}";
  }
  std::string operator()(const ChoiceSweep& sweep) const {
    return "ChoiceSweep(tags=" + ReprOf(sweep.tags) + ", list=" + ReprOf(sweep.list) +
           ", simple_form=" + ReprOf(sweep.simple_form) +
           ", shuffle=" + ReprOf(sweep.shuffle) + ")";
  }
  std::string operator()(const RangeSweep& sweep) const {
    return "RangeSweep(tags=" + ReprOf(sweep.tags) + ", start=" + ReprOf(sweep.start) +
           ", stop=" + ReprOf(sweep.stop) + ", step=" + ReprOf(sweep.step) +
           ", shuffle=" + ReprOf(sweep.shuffle) + ")";
  }
  std::string operator()(const IntervalSweep& sweep) const {
    return "IntervalSweep(tags=" + ReprOf(sweep.tags) + ", start=" + ReprOf(sweep.start) +
           ", end=" + ReprOf(sweep.end) + ")";
  }
  std::string operator()(const Glob& glob) const {
    return "Glob(include=" + ReprOf(glob.include) + ", exclude=" + ReprOf(glob.exclude) +
           ")";
  }
};

bool EqualLists(const ParsedList& a, const ParsedList& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [](const ParsedValue& x, const ParsedValue& y) {
                      return PythonEqual(x, y);
                    });
}

bool EqualDicts(const ParsedDict& a, const ParsedDict& b) {
  if (a.size() != b.size()) return false;
  return std::all_of(a.begin(), a.end(), [&b](const ParsedDict::Entry& entry) {
    const ParsedValue* other = b.Find(entry.first);
    return other != nullptr && PythonEqual(entry.second, *other);
  });
}

// Both sides have the same alternative.
struct EqualVisitor {
  const ParsedValue& other;

  bool operator()(const Scalar& a) const { return PythonEqual(a, *other.As<Scalar>()); }
  bool operator()(const QuotedString& a) const { return a == *other.As<QuotedString>(); }
  bool operator()(const ParsedList& a) const {
    return EqualLists(a, *other.As<ParsedList>());
  }
  bool operator()(const ParsedDict& a) const {
    return EqualDicts(a, *other.As<ParsedDict>());
  }
  bool operator()(const ChoiceSweep& a) const {
    const ChoiceSweep& b = *other.As<ChoiceSweep>();
    return a.simple_form == b.simple_form && a.shuffle == b.shuffle && a.tags == b.tags &&
           EqualLists(a.list, b.list);
  }
  bool operator()(const RangeSweep& a) const {
    const RangeSweep& b = *other.As<RangeSweep>();
    return Equal(a.start, b.start) && Equal(a.stop, b.stop) && Equal(a.step, b.step) &&
           a.shuffle == b.shuffle && a.tags == b.tags;
  }
  bool operator()(const IntervalSweep& a) const {
    const IntervalSweep& b = *other.As<IntervalSweep>();
    // Unlike elsewhere in Python, the types must match too.
    return a.start.index() == b.start.index() && a.end.index() == b.end.index() &&
           Equal(a.start, b.start) && Equal(a.end, b.end) && a.tags == b.tags;
  }
  bool operator()(const Glob& a) const {
    const Glob& b = *other.As<Glob>();
    return EqualLists(a.include, b.include) && EqualLists(a.exclude, b.exclude);
  }
};

}  // namespace

bool RangeSweep::IsWhole() const {
  return config::IsWhole(start) && config::IsWhole(stop) && config::IsWhole(step);
}

bool ParsedValue::IsNumber() const {
  return AsScalar<bool>() != nullptr || AsScalar<Integer>() != nullptr ||
         AsScalar<double>() != nullptr;
}

bool ParsedValue::IsSweep() const {
  return As<ChoiceSweep>() != nullptr || As<RangeSweep>() != nullptr ||
         As<IntervalSweep>() != nullptr;
}

Number ToNumber(const ParsedValue& value) {
  if (const bool* flag = value.AsScalar<bool>()) return *flag;
  if (const Integer* integer = value.AsScalar<Integer>()) return *integer;
  return *value.AsScalar<double>();
}

Scalar ToScalar(const Number& number) {
  return std::visit([](const auto& value) { return Scalar(value); }, number);
}

std::string_view TypeName(const ParsedValue& value) {
  return std::visit(TypeNameVisitor{}, value.data());
}

std::string Repr(const ParsedValue& value) {
  return std::visit(ReprVisitor{}, value.data());
}

bool PythonEqual(const ParsedValue& a, const ParsedValue& b) {
  if (a.data().index() != b.data().index()) return false;
  return std::visit(EqualVisitor{b}, a.data());
}

}  // namespace ridgeline::config
