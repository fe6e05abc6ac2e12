#include "config/value/yaml_load.h"

#include <gtest/gtest.h>

#include <string>

#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

// The value as Python prints it, or the class of the error.
std::string Loaded(std::string_view text) {
  const Result<Value> value = LoadYaml(text, "f.yaml");
  if (!value.ok()) return std::string(ClassName(value.error().kind));
  return Repr(value.value());
}

std::string Message(std::string_view text) {
  const Result<Value> value = LoadYaml(text, "f.yaml");
  return value.ok() ? "" : value.error().message;
}

TEST(LoadYaml, ReadsPlainScalarsAsOmegaConfDoes) {
  struct Case {
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"", "None"},
      {"~", "None"},
      {"Null", "None"},
      {"nULL", "'nULL'"},
      {"yes", "True"},
      {"Off", "False"},
      {"oN", "'oN'"},
      {"y", "'y'"},
      {"true", "True"},
      {"12", "12"},
      {"+1_000", "1000"},
      {"-0b101", "-5"},
      {"010", "8"},
      {"08", "'08'"},
      {"0o10", "'0o10'"},
      {"0xFf", "255"},
      {"1:20", "80"},
      {"-1:20:30", "-4830"},
      {"1:60", "'1:60'"},
      {"0:1", "'0:1'"},
      {"18446744073709551616", "18446744073709551616"},
      {"1.", "1.0"},
      {".5", "0.5"},
      {"-.5", "'-.5'"},
      {"1e3", "1000.0"},
      {"1E-3", "0.001"},
      {"1.5e3", "1500.0"},
      {".5e3", "'.5e3'"},
      {".5e+3", "500.0"},
      {"1_0.5", "10.5"},
      {"1__0.5e3", "'1__0.5e3'"},
      {"1:20.5", "80.5"},
      {".inf", "inf"},
      {"-.INF", "-inf"},
      {".nan", "nan"},
      {"-.nan", "'-.nan'"},
      {"1e400", "inf"},
      {"2020-01-01", "'2020-01-01'"},
      {"12e", "'12e'"},
      {".", "'.'"},
      {"-", "[None]"},
      {"+", "'+'"},
      {"'12'", "'12'"},
      {"! '12'", "12"},
      {"! ", "None"},
      {"${a.b}", "'${a.b}'"},
      {"0x_", "ValueError"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(Loaded(c.text), c.want);
  }
}

TEST(LoadYaml, ObeysTags) {
  struct Case {
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"!!str 12", "'12'"},
      {"!!int '0o17'", "15"},
      {"!!int ' 12 '", "12"},
      {"!!int x", "ValueError"},
      {"!!int ''", "ValueError"},
      {"!!float 1", "1.0"},
      {"!!float x", "ValueError"},
      {"!!bool YES", "True"},
      {"!!bool 1", "KeyError"},
      {"!!null anything", "None"},
      {"!!binary aGVsbG8=", "b'hello'"},
      {"!!binary aGVsbG8", "ConstructorError"},
      {"!!seq [1]", "[1]"},
      {"!!seq 1", "ConstructorError"},
      {"!!map [1]", "ConstructorError"},
      {"!!omap [a: 1, b: 2]", "[['a', 1], ['b', 2]]"},
      {"!!pairs [a: 1, a: 2]", "[['a', 1], ['a', 2]]"},
      {"!!pairs [{a: 1, b: 2}]", "ConstructorError"},
      {"!!set {a, b}", "{'a', 'b'}"},
      {"!!timestamp 2020-01-01", "2020-01-01"},
      {"!!timestamp 2020-02-30", "ValueError"},
      {"!!str [a]", "ConstructorError"},
      {"!!int {=: 5}", "5"},
      {"!foo 1", "ConstructorError"},
      {"a: =", "ConstructorError"},
      {"=: 1", "{'=': 1}"},
      {"[!!str, a]", "ScannerError"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(Loaded(c.text), c.want);
  }
  EXPECT_EQ(TypeName(LoadYaml("!!set {a}", "").value()), "set");
  EXPECT_EQ(TypeName(LoadYaml("!!timestamp 2020-1-1 1:02:03Z", "").value()), "datetime");
}

TEST(LoadYaml, ReadsCollectionsAsPyYamlDoes) {
  struct Case {
    const char* what;
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"keys of any scalar type", "1: a\n1.5: b\ntrue: c\n~: d",
       "{1: 'c', 1.5: 'b', None: 'd'}"},
      {"an equal key keeps its first spelling", "1: a\n1.0: b", "{1: 'b'}"},
      {"duplicate string key", "a: 1\na: 2", "ConstructorError"},
      {"duplicate key that is no string", "1: a\n1: b", "{1: 'b'}"},
      {"list as key", "[a]: 1", "ConstructorError"},
      {"mapping as key", "? {a: 1}\n: 2", "ConstructorError"},
      {"colon without a space", "{a:}", "{'a': None}"},
      {"colon before a comma", "[a:, b:[1]]", "[{'a': None}, {'b': [1]}]"},
      {"question mark between brackets", "[a?b]", "ParserError"},
      {"literal", "a: |\n  x\n  y\n", "{'a': 'x\\ny\\n'}"},
      {"folded", "a: >-\n  x\n  y\n", "{'a': 'x y'}"},
      {"two documents", "a\n---\nb", "ComposerError"},
      {"only a comment", "# nothing", "None"},
      {"explicit document", "---\na: 1\n...\n", "{'a': 1}"},
      {"carriage returns", "a: 1\r\nb: 2\r\n", "{'a': 1, 'b': 2}"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Loaded(c.text), c.want);
  }
}

TEST(LoadYaml, MergesAndCopiesWhatAliasesName) {
  struct Case {
    const char* what;
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"alias", "a: &x [1]\nb: *x", "{'a': [1], 'b': [1]}"},
      {"own keys win, merged ones come first", "k: 0\n<<: {x: 1, k: 2}",
       "{'x': 1, 'k': 0}"},
      {"of a list the first wins", "<<: [{a: 1}, {a: 2, b: 3}]", "{'a': 1, 'b': 3}"},
      {"merged twice", "b: &b {x: 1}\nc: &c {<<: *b, y: 2}\nd: {<<: *c}",
       "{'b': {'x': 1}, 'c': {'x': 1, 'y': 2}, 'd': {'x': 1, 'y': 2}}"},
      {"merging a scalar", "<<: 1", "ConstructorError"},
      {"merging a list of scalars", "<<: [1]", "ConstructorError"},
      {"quoted it is a key", "'<<': 1", "{'<<': 1}"},
      {"merged before its own duplicate check", "base: &b {<<: {x: 1}, x: 2}\n<<: *b",
       "ConstructorError"},
      {"undefined alias", "a: *x", "ComposerError"},
      {"anchor used twice", "a: &x 1\nb: &x 2", "ComposerError"},
      {"alias inside itself", "a: &x [*x]", "LimitError"},
      {"alias inside itself by a mapping", "&x {a: *x}", "LimitError"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Loaded(c.text), c.want);
  }
}

TEST(LoadYaml, TakesTabsOnlyWherePyYamlDoes) {
  struct Case {
    const char* what;
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"in quotes", "a: \"x\ty\"", "{'a': 'x\\ty'}"},
      {"in a comment", "a: 1 #\tx", "{'a': 1}"},
      {"in a block scalar", "a: |\n  x\ty\n", "{'a': 'x\\ty\\n'}"},
      {"first in a block scalar", "a: |\n  \tx\n  y\n", "{'a': '\\tx\\ny\\n'}"},
      {"in a comment behind the bar", "a: | #\tx\n  y\n", "{'a': 'y\\n'}"},
      {"in a plain scalar", "a: x\ty", "ScannerError"},
      {"behind a value", "a: 1\t", "ScannerError"},
      {"behind a colon", "a:\t1", "ScannerError"},
      {"behind a dash", "-\t1", "ScannerError"},
      {"between brackets", "[a,\tb]", "ScannerError"},
      {"behind the bar", "a: |\t\n  x\n", "ScannerError"},
      {"as indentation", "a:\n\tb: 1", "ScannerError"},
      {"alone on a line", "a: 1\n\t\n", "ScannerError"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Loaded(c.text), c.want);
  }
}

TEST(LoadYaml, RefusesCharactersThatNoTextHolds) {
  EXPECT_EQ(Loaded("\xEF\xBB\xBF"
                   "a: 1"),
            "{'a': 1}");
  EXPECT_EQ(Loaded("a: \xff"), "ReaderError");
  EXPECT_EQ(Loaded("\xff\xfe"
                   "a"),
            "ReaderError");
  EXPECT_EQ(Loaded(std::string_view("a\0b", 3)), "ReaderError");
  EXPECT_EQ(Loaded("a: 1\n\xEF\xBB\xBF"
                   "b: 2"),
            "ReaderError");
  EXPECT_EQ(Message("é: \x07"),
            "unacceptable character #x0007: special characters are not allowed\n"
            "  in \"f.yaml\", position 3");
}

TEST(LoadYaml, SaysWhereItWentWrong) {
  const Result<Value> twice = LoadYaml("a: 1\nb: 2\na: 3\n", "f.yaml");
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.error().message,
            "while constructing a mapping\n"
            "  in \"f.yaml\", line 1, column 1\n"
            "found duplicate key a\n"
            "  in \"f.yaml\", line 3, column 1");
  EXPECT_EQ(twice.error().origin.ToString(), "f.yaml:3:1");
  EXPECT_EQ(Message("a: b: c"),
            "mapping values are not allowed here\n  in \"f.yaml\", line 1, column 5");
  EXPECT_EQ(Message("a: @x"),
            "while scanning for the next token\n"
            "found character '@' that cannot start any token\n"
            "  in \"f.yaml\", line 1, column 4");
  EXPECT_EQ(Message("a: !foo 1"),
            "could not determine a constructor for the tag '!foo'\n"
            "  in \"f.yaml\", line 1, column 4");
  const Result<Value> number = LoadYaml("a:\n  - !!int x", "f.yaml");
  ASSERT_FALSE(number.ok());
  EXPECT_EQ(number.error().message, "invalid literal for int() with base 10: 'x'");
  EXPECT_EQ(number.error().origin.ToString(), "f.yaml:2:5");
}

TEST(LoadYaml, RemembersWhereEveryValueStarts) {
  const Result<Value> value = LoadYaml("a: 1\nb:\n  - x\n  - {k: v}\n", "f.yaml");
  ASSERT_TRUE(value.ok());
  const Value& b = *value.value().dict().Find("b");
  const Value& v = *b.list()[1].dict().Find("k");
  EXPECT_EQ(value.value().dict().Find("a")->line, 1);
  EXPECT_EQ(value.value().dict().Find("a")->column, 4);
  EXPECT_EQ(b.line, 3);
  EXPECT_EQ(b.column, 3);
  EXPECT_EQ(v.line, 4);
  EXPECT_EQ(v.column, 9);
}

TEST(LoadYaml, StopsAtItsBounds) {
  EXPECT_EQ(Loaded(std::string(256, '[') + std::string(256, ']')).substr(0, 1), "[");
  EXPECT_EQ(Loaded(std::string(257, '[') + std::string(257, ']')), "LimitError");
  EXPECT_EQ(Loaded(std::string(100000, '[')), "LimitError");

  std::string laughs = "a0: &a0 [x]\n";
  std::string chain = "a0: &a0 [x]\n";
  std::string merges = "a0: &a0 {k0: 1}\n";
  for (int i = 1; i < 300; ++i) {
    const std::string now = std::to_string(i);
    const std::string last = std::to_string(i - 1);
    laughs += "a" + now + ": &a" + now + " [*a" + last + ", *a" + last + "]\n";
    chain += "a" + now + ": &a" + now + " [*a" + last + "]\n";
    merges +=
        "a" + now + ": &a" + now + " {<<: [*a" + last + ", *a" + last + "], x: 1}\n";
  }
  EXPECT_EQ(Loaded(laughs), "LimitError");
  EXPECT_EQ(Loaded(chain), "LimitError");
  EXPECT_EQ(Loaded(merges), "LimitError");

  std::string sexagesimal = "1";
  for (int i = 0; i < 2000; ++i) sexagesimal += ":1";
  EXPECT_EQ(Loaded(sexagesimal), "LimitError");
}

}  // namespace
}  // namespace ridgeline::config
