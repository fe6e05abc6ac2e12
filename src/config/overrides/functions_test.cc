#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "config/overrides/override_parser.h"

namespace ridgeline::config {
namespace {

// The value as Python prints it, or the call's "ValueError: ...".
std::string Evaluate(const std::string& call) {
  const std::string line = "a=" + call;
  const auto parsed = ParseOverride(line);
  if (parsed.ok()) return Repr(parsed.value().value);
  EXPECT_EQ(parsed.error().fault, OverrideFault::kFunction) << parsed.error().message;
  const std::string start = "Error parsing override '" + line + "'\n";
  const std::string& message = parsed.error().message;
  EXPECT_TRUE(message.starts_with(start)) << message;
  std::string text = message.substr(start.size());
  text.erase(text.rfind("\nSee https://"));
  const size_t quote = text.find("': ");
  return text.substr(0, text.find(' ')) + ": " + text.substr(quote + 3);
}

struct CallCase {
  const char* call;
  const char* want;
};

template <size_t n>
void ExpectAll(const CallCase (&cases)[n]) {
  for (const CallCase& c : cases) {
    SCOPED_TRACE(c.call);
    EXPECT_EQ(Evaluate(c.call), c.want);
  }
}

TEST(OverrideFunctions, CastScalars) {
  ExpectAll({
      {"int(2.9)", "2"},
      {"int(-2.9)", "-2"},
      {"int(true)", "1"},
      {"int(' 1_0 ')", "10"},
      {"int(1e20)", "100000000000000000000"},
      {"int(a)", "ValueError: invalid literal for int() with base 10: 'a'"},
      {"int(inf)", "OverflowError: cannot convert float infinity to integer"},
      {"int(nan)", "ValueError: cannot convert float NaN to integer"},
      {"int(null)", "AssertionError: "},
      {"float(1)", "1.0"},
      {"float('1e3')", "1000.0"},
      {"float(x)", "ValueError: could not convert string to float: 'x'"},
      {"str(1e3)", "'1000.0'"},
      {"str(TRUE)", "'true'"},
      {"bool(0.0)", "False"},
      {"bool(nan)", "True"},
      {"bool(null)", "False"},
      {"bool('TrUe')", "True"},
      {"bool(yes)", "ValueError: Cannot cast 'yes' to bool"},
  });
}

TEST(OverrideFunctions, CastContainersAndSweeps) {
  ExpectAll({
      {"int([1.5,['2']])", "[1, [2]]"},
      {"str({1:2})", "{1: '2'}"},
      {"int(1.5,2.5)",
       "ChoiceSweep(tags=set(), list=[1, 2], simple_form=True, shuffle=False)"},
      {"int(tag(t,choice(1.5)))",
       "ChoiceSweep(tags=set(), list=[1], simple_form=False, shuffle=False)"},
      {"float(range(3))",
       "RangeSweep(tags=set(), start=0.0, stop=3.0, step=1.0, shuffle=False)"},
      {"int(tag(t,interval(0.5,1.5)))", "IntervalSweep(tags={'t'}, start=0, end=1)"},
      {"str(range(3))", "ValueError: Range can only be cast to int or float"},
      {"bool(interval(0,1))", "ValueError: Intervals cannot be cast to bool"},
      {"int(1,range(3))", "AssertionError: "},
      {"bool([glob(*)])", "[True]"},
      {"int()", "TypeError: No positional args or value specified"},
      {"int(1,value=2)", "TypeError: cannot use both position and named arguments"},
      {"int(value=2.5)", "2"},
  });
}

TEST(OverrideFunctions, MakeSweeps) {
  ExpectAll({
      {"choice(a,'b',[1])",
       "ChoiceSweep(tags=set(), list=['a', 'b', [1]], simple_form=False, shuffle=False)"},
      {"choice(sort(2,1))",
       "ChoiceSweep(tags=set(), list=[1, 2], simple_form=False, shuffle=False)"},
      {"choice()", "ValueError: empty choice is not legal"},
      {"choice(choice(a))", "ValueError: nesting choices is not supported"},
      {"range(3)", "RangeSweep(tags=set(), start=0, stop=3, step=1, shuffle=False)"},
      {"range(1,null,2)",
       "RangeSweep(tags=set(), start=0, stop=1, step=2, shuffle=False)"},
      {"range(step=2,start=1,stop=5)",
       "RangeSweep(tags=set(), start=1, stop=5, step=2, shuffle=False)"},
      {"interval(1,true)", "IntervalSweep(tags=set(), start=1.0, end=1.0)"},
      {"tag(b,a,range(2))",
       "RangeSweep(tags={'a', 'b'}, start=0, stop=2, step=1, shuffle=False)"},
      {"tag(t,sweep=choice(a))",
       "ChoiceSweep(tags={'t'}, list=['a'], simple_form=False, shuffle=False)"},
      {"tag()", "ValueError: Not enough arguments to tag, must take at least a sweep"},
      {"tag(a,b)",
       "ValueError: Last argument to tag() must be a choice(), range() or interval(), "
       "got "
       "NoneType"},
      {"tag(choice(a),choice(b))",
       "ValueError: tag arguments type must be string, got ChoiceSweep"},
      {"glob(a*,exclude=[b,'c'])",
       "Glob(include=['a*'], exclude=['b', QuotedString(text='c', quote=<Quote.single: "
       "0>)])"},
  });
}

TEST(OverrideFunctions, Sort) {
  ExpectAll({
      {"sort([3,1.5,true])", "[True, 1.5, 3]"},
      {"sort(b,a)",
       "ChoiceSweep(tags=set(), list=['a', 'b'], simple_form=True, shuffle=False)"},
      {"sort([[2],[1,5],[1]],reverse=true)", "[[2], [1, 5], [1]]"},
      {"sort([1,1.0,true],reverse=true)", "[1, 1.0, True]"},
      {"sort(7)", "7"},
      {"sort({b:1})", "{'b': 1}"},
      {"sort()", "ValueError: empty sort input"},
      {"sort([1,a])",
       "TypeError: '<' not supported between instances of 'str' and 'int'"},
      {"sort([1,a],reverse=true)",
       "TypeError: '<' not supported between instances of 'int' and 'str'"},
      {"sort([2,1],[3])", "TypeError: Invalid arguments: ([2, 1], [3])"},
      {"sort(range(1,6,2),reverse=true)",
       "RangeSweep(tags=set(), start=4, stop=-1, step=-2, shuffle=False)"},
      {"sort(range(6,1,-2))",
       "RangeSweep(tags=set(), start=3, stop=8, step=2, shuffle=False)"},
      {"sort(range(1,6))",
       "RangeSweep(tags=set(), start=1, stop=6, step=1, shuffle=False)"},
  });
}

TEST(OverrideFunctions, SortManyValues) {
  std::string values;
  for (int i = 200; i > 0; --i) values += (values.empty() ? "" : ",") + std::to_string(i);
  const auto parsed = ParseOverride("a=sort([" + values + "])");
  ASSERT_TRUE(parsed.ok());
  const ParsedList& list = *parsed.value().value.As<ParsedList>();
  ASSERT_EQ(list.size(), 200U);
  for (size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list[i].AsScalar<Integer>()->AsInt64(), static_cast<int64_t>(i + 1));
  }
  EXPECT_EQ(Evaluate("sort([" + values + ",x])"),
            "TypeError: '<' not supported between instances of 'str' and 'int'");
}

TEST(OverrideFunctions, ShuffleIsRepeatable) {
  EXPECT_EQ(Evaluate("shuffle(a)"), "['a']");
  EXPECT_EQ(Evaluate("shuffle(1,2)"),
            "ChoiceSweep(tags=set(), list=[1, 2], simple_form=True, shuffle=True)");
  EXPECT_EQ(Evaluate("shuffle(range(2))"),
            "RangeSweep(tags=set(), start=0, stop=2, step=1, shuffle=True)");
  const auto first = ParseOverride("a=shuffle([1,2,3,4,5,6,7,8])", 1);
  const auto again = ParseOverride("a=shuffle([1,2,3,4,5,6,7,8])", 1);
  const auto other = ParseOverride("a=shuffle([1,2,3,4,5,6,7,8])", 2);
  EXPECT_TRUE(PythonEqual(first.value().value, again.value().value));
  EXPECT_FALSE(PythonEqual(first.value().value, other.value().value));
}

TEST(OverrideFunctions, CheckArgumentsAsPythonDoes) {
  ExpectAll({
      {"foo(1)",
       "HydraException: Unknown function 'foo'\nAvailable: "
       "bool,choice,float,glob,int,interval,range,shuffle,sort,str,tag\n"},
      {"range()", "TypeError: missing a required argument: 'start'"},
      {"interval(start=1,stop=2)", "TypeError: missing a required argument: 'end'"},
      {"range(1,2,3,4)", "TypeError: too many positional arguments"},
      {"range(1,start=2)", "TypeError: multiple values for argument 'start'"},
      {"range(1,end=2)", "TypeError: got an unexpected keyword argument 'end'"},
      {"int(args=1)", "TypeError: got an unexpected keyword argument 'args'"},
      {"range(a)",
       "TypeError: mismatch type argument start: str is incompatible with Union[int, "
       "float]"},
      {"choice(1,null)",
       "TypeError: mismatch type argument args[1]: NoneType is incompatible with "
       "Union[str, "
       "int, float, bool, Dict[Any, Any], List[Any], ChoiceSweep]"},
      {"sort(2,1,reverse=1)",
       "TypeError: mismatch type argument reverse: int is incompatible with bool"},
      {"shuffle(reverse=true)",
       "TypeError: got an unexpected keyword argument 'reverse'"},
  });
}

}  // namespace
}  // namespace ridgeline::config
