#include "config/overrides/override_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ridgeline::config {
namespace {

constexpr std::string_view kSeeAlso =
    "\nSee https://hydra.cc/docs/1.2/advanced/override_grammar/basic for details";

// The value as Python would print it, or the first line of the error.
std::string ReprOf(const std::string& line) {
  const auto parsed = ParseOverride(line);
  if (!parsed.ok()) {
    const std::string& message = parsed.error().message;
    return "error: " + message.substr(0, message.find('\n'));
  }
  return Repr(parsed.value().value);
}

TEST(ParseOverride, ReadsPrefixKeyAndPackage) {
  struct Case {
    const char* line;
    OverrideType type;
    const char* key;
    std::optional<std::string> package;
    const char* key_element;
  } cases[] = {
      {"a.b=1", OverrideType::kChange, "a.b", std::nullopt, "a.b"},
      {"+a=1", OverrideType::kAdd, "a", std::nullopt, "+a"},
      {"++a=1", OverrideType::kForceAdd, "a", std::nullopt, "++a"},
      {"~a", OverrideType::kDelete, "a", std::nullopt, "~a"},
      {"~a=1", OverrideType::kDelete, "a", std::nullopt, "~a"},
      {"db/sub@p.q=x", OverrideType::kChange, "db/sub", "p.q", "db/sub@p.q"},
      {"db@=x", OverrideType::kChange, "db", "", "db@"},
      {"=x", OverrideType::kChange, "", std::nullopt, ""},
      {"~", OverrideType::kDelete, "", std::nullopt, "~"},
      {"$a=x", OverrideType::kChange, "$a", std::nullopt, "$a"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.line);
    const auto parsed = ParseOverride(c.line);
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_EQ(parsed.value().type, c.type);
    EXPECT_EQ(parsed.value().key_or_group, c.key);
    EXPECT_EQ(parsed.value().package, c.package);
    EXPECT_EQ(parsed.value().KeyElement(), c.key_element);
    EXPECT_EQ(parsed.value().input_line, c.line);
  }
}

TEST(ParseOverride, ReadsElements) {
  struct Case {
    const char* what;
    const char* value;
    const char* want;
  } cases[] = {
      {"nothing", "", "''"},
      {"blanks are nothing", "  ", "''"},
      {"int", "1_000", "1000"},
      {"big int", "99999999999999999999", "99999999999999999999"},
      {"float", "1e3", "1000.0"},
      {"tiny float", "1e-400", "0.0"},
      {"huge float", "-1e400", "-inf"},
      {"bool", "TRUE", "True"},
      {"null", "Null", "None"},
      {"a leading zero makes a string", "007", "'007'"},
      {"blanks around are dropped, inside kept", " a  b ", "'a  b'"},
      {"escapes", "a\\,b\\ ", "'a,b '"},
      {"a colon keeps its blanks", "a : b", "'a : b'"},
      {"interpolation", "${a}/x", "'${a}/x'"},
      {"escaped interpolation", "\\${a}", "'\\\\${a}'"},
      {"list", "[1, [], 'x', y z]",
       "[1, [], QuotedString(text='x', quote=<Quote.single: 0>), 'y z']"},
      {"dict", "{a: 1, b:{c:d:e}}", "{'a': 1, 'b': {'c': 'd:e'}}"},
      {"dict keys have types, and Python's equality", "{1:a,true:b,1.0:c}", "{1: 'c'}"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(ReprOf("k=" + std::string(c.value)), c.want);
  }
}

TEST(ParseOverride, UnescapesQuotedStringsOnlyBeforeQuotes) {
  struct Case {
    const char* value;
    const char* want;
  } cases[] = {
      {R"('')", ""},          {R"('a\'b')", "a'b"},     {R"('a\\\'b')", R"(a\'b)"},
      {R"('a\\')", R"(a\)"},  {R"('\\n')", R"(\\n)"},   {R"("it's")", "it's"},
      {R"('\\\\')", R"(\\)"}, {R"('a\"b')", R"(a\"b)"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.value);
    const auto parsed = ParseOverride("k=" + std::string(c.value));
    ASSERT_TRUE(parsed.ok());
    const QuotedString* quoted = parsed.value().value.As<QuotedString>();
    ASSERT_NE(quoted, nullptr);
    EXPECT_EQ(quoted->text, c.want);
    EXPECT_EQ(parsed.value().ValueElementAsString().value(), c.value);
    EXPECT_EQ(parsed.value().PlainValue().value().string(), c.want);
  }
}

TEST(ParseOverride, TellsSweepsFromElements) {
  struct Case {
    const char* line;
    std::optional<ValueType> type;
    bool discrete;
  } cases[] = {
      {"a=1", ValueType::kElement, false},
      {"a=[1,2]", ValueType::kElement, false},
      {"a=1,2", ValueType::kSimpleChoiceSweep, true},
      {"a=choice(1)", ValueType::kChoiceSweep, true},
      {"a=range(3)", ValueType::kRangeSweep, true},
      {"a=interval(0,1)", ValueType::kIntervalSweep, false},
      {"a=glob(*)", ValueType::kGlobChoiceSweep, true},
      {"~a", std::nullopt, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.line);
    const auto parsed = ParseOverride(c.line);
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(parsed.value().value_type, c.type);
    EXPECT_EQ(parsed.value().IsDiscreteSweep(), c.discrete);
  }
}

TEST(ParseOverride, ShowsWhereTheTextIsWrong) {
  struct Case {
    const char* line;
    OverrideFault fault;
    const char* want;
  } cases[] = {
      {"a=x;y", OverrideFault::kLexer,
       "unexpected character ';' in a value (put the value in quotes)\na=x;y\n   ^"},
      {"a =1", OverrideFault::kLexer, "unexpected character ' ' in a key\na =1\n ^"},
      {"a='x", OverrideFault::kLexer, "the quote ' is never closed\na='x\n  ^"},
      {"a=['\xC3\xA9',\xC3\xA9]", OverrideFault::kLexer,
       "unexpected character '\xC3\xA9' in a value (put the value in quotes)\n"
       "a=['\xC3\xA9',\xC3\xA9]\n       ^"},
      {"a", OverrideFault::kSyntax, "expected '=', found the end of the override\na\n ^"},
      {"a=[1,,2]", OverrideFault::kSyntax,
       "expected a value, found ','\na=[1,,2]\n     ^"},
      {"a=[1", OverrideFault::kSyntax,
       "expected ',' or ']', found the end of the override\na=[1\n    ^"},
      {"a={x}", OverrideFault::kSyntax, "expected ':', found '}'\na={x}\n    ^"},
      {"a='x'y", OverrideFault::kSyntax,
       "expected ',' or the end of the override, found 'y'\na='x'y\n     ^"},
      {"a@@b=1", OverrideFault::kSyntax,
       "expected '=', found '@': a key has one '@', as in GROUP@PACKAGE=VALUE\na@@b=1\n"
       "  ^"},
      {"a@b@c=1", OverrideFault::kSyntax,
       "expected '=', found '@': a key has one '@', as in GROUP@PACKAGE=VALUE\na@b@c=1\n"
       "   ^"},
      {"a/b.c=1", OverrideFault::kSyntax,
       "expected the name of a config group, found 'b.c'\na/b.c=1\n  ^"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.line);
    const auto parsed = ParseOverride(c.line);
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().kind, ErrorKind::kOverrideParse);
    EXPECT_EQ(parsed.error().fault, c.fault);
    EXPECT_EQ(parsed.error().message, c.want + std::string(kSeeAlso));
  }
}

TEST(ParseOverride, TakesALexerErrorOverASyntaxErrorWhereAntlrReadsAhead) {
  struct Case {
    const char* what;
    const char* line;
    OverrideFault fault;
  } cases[] = {
      {"right behind the wrong token", "a:;=1", OverrideFault::kLexer},
      {"further away", "a:b;=1", OverrideFault::kSyntax},
      {"anywhere behind an open first element", "a=[1,,2,;", OverrideFault::kLexer},
      {"in a later element only the next one", "a=1,[2,,3;", OverrideFault::kSyntax},
      {"in a later list not even that", "a=1,[2,3(;", OverrideFault::kSyntax},
      {"a second prefix is a choice", "~+a;", OverrideFault::kLexer},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const auto parsed = ParseOverride(c.line);
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(OverrideFaultName(parsed.error().fault), OverrideFaultName(c.fault));
  }
}

TEST(ParseOverride, ReportsSyntaxBeforeMeaning) {
  const auto wrong_call = ParseOverride("a=choice(),[");
  ASSERT_FALSE(wrong_call.ok());
  EXPECT_EQ(wrong_call.error().fault, OverrideFault::kSyntax);

  const auto order = ParseOverride("a=range(stop=4,choice())");
  ASSERT_FALSE(order.ok());
  EXPECT_EQ(order.error().fault, OverrideFault::kSemantic);
  EXPECT_EQ(order.error().message,
            "Error parsing override 'a=range(stop=4,choice())'\n"
            "positional argument follows keyword argument" +
                std::string(kSeeAlso));
}

TEST(ParseOverride, RefusesEndlessNesting) {
  for (const char* bracket : {"[", "{a:", "f("}) {
    SCOPED_TRACE(bracket);
    std::string line = "a=";
    for (int i = 0; i < 100'000; ++i) line += bracket;
    const auto parsed = ParseOverride(line);
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().kind, ErrorKind::kLimit);
    EXPECT_LT(parsed.error().message.size(), 400U);
  }
  const std::string fine =
      "a=" + std::string(kOverrideMaxDepth, '[') + std::string(kOverrideMaxDepth, ']');
  EXPECT_TRUE(ParseOverride(fine).ok());
}

TEST(ParseOverride, RefusesIntegersThatPythonRefuses) {
  EXPECT_TRUE(ParseOverride("a=" + std::string(4300, '9')).ok());
  const auto parsed = ParseOverride("a=" + std::string(4301, '9'));
  ASSERT_FALSE(parsed.ok());
  EXPECT_NE(parsed.error().message.find("Exceeds the limit (4300 digits)"),
            std::string::npos);
}

TEST(ParseOverrides, StopsAtTheFirstError) {
  const std::vector<std::string> good = {"a=1", "+b=2"};
  const auto parsed = ParseOverrides(good);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.value().size(), 2U);

  const std::vector<std::string> bad = {"a=1", "b", "c"};
  const auto failed = ParseOverrides(bad);
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.error().message.find("\nb\n"), std::string::npos);
}

}  // namespace
}  // namespace ridgeline::config
