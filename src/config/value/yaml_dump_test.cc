#include "config/value/yaml_dump.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "config/value/yaml_load.h"

namespace ridgeline::config {
namespace {

Value Under(const char* key, Value value) {
  Dict dict;
  dict.Set(std::string(key), std::move(value));
  return Value(std::move(dict));
}

TEST(DumpYaml, QuotesStringsThatWouldReadAsSomethingElse) {
  struct Case {
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"abc", "abc"},
      {"", "''"},
      {"12", "'12'"},
      {"1_000", "'1_000'"},
      {"1e3", "'1e3'"},
      {"inf", "'inf'"},
      {"NaN", "'NaN'"},
      {"infinity", "'infinity'"},
      {"١٢", "'١٢'"},
      {" 5", "' 5'"},
      {"y", "'y'"},
      {"On", "'On'"},
      {"~", "'~'"},
      {"null", "'null'"},
      {"0x10", "'0x10'"},
      {"0o10", "0o10"},
      {"1:20", "'1:20'"},
      {"2020-01-01", "'2020-01-01'"},
      {"2020-1-1", "2020-1-1"},
      {"2020-1-1 1:02:03", "'2020-1-1 1:02:03'"},
      {"-.5", "'-.5'"},
      {"<<", "'<<'"},
      {"=", "'='"},
      {"-", "'-'"},
      {"-a", "-a"},
      {"?a", "?a"},
      {"? a", "'? a'"},
      {"a: b", "'a: b'"},
      {"a:b", "a:b"},
      {"a #b", "'a #b'"},
      {"a#b", "a#b"},
      {"[a", "'[a'"},
      {"a[0]", "a[0]"},
      {"${a.b}", "${a.b}"},
      {"???", "???"},
      {"@a", "'@a'"},
      {"it's", "it's"},
      {"'a'", "'''a'''"},
      {"---", "'---'"},
      {"...a", "'...a'"},
      {"a ", "'a '"},
      {"a\tb", "\"a\\tb\""},
      {"a\nb", "'a\n\n  b'"},
      {"a\n b", "\"a\\n b\""},
      {"é日😀", "é日😀"},
      {"😀\a", "\"\\U0001F600\\a\""},
      {"\ufeff", "\"\\uFEFF\""},
      {"\u00a0", "\u00a0"},
      {"\xff", "\"\\uDCFF\""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(DumpYaml(Under("k", c.text)), "k: " + std::string(c.want) + "\n");
  }
}

TEST(DumpYaml, WritesOtherScalarsAsPyYamlDoes) {
  EXPECT_EQ(DumpYaml(Under("k", Value())), "k: null\n");
  EXPECT_EQ(DumpYaml(Under("k", true)), "k: true\n");
  EXPECT_EQ(DumpYaml(Under("k", -3)), "k: -3\n");
  EXPECT_EQ(DumpYaml(Under("k", 1e16)), "k: 1.0e+16\n");
  EXPECT_EQ(DumpYaml(Under("k", 1.5e-7)), "k: 1.5e-07\n");
  EXPECT_EQ(DumpYaml(Under("k", -std::numeric_limits<double>::infinity())), "k: -.inf\n");
  EXPECT_EQ(DumpYaml(Under("k", Bytes{"hello"})), "k: !!binary |\n  aGVsbG8=\n");
  EXPECT_EQ(DumpYaml(Under("k", Bytes{""})), "k: !!binary \"\"\n");
}

TEST(DumpYaml, EndsAPlainRootScalarWithADocumentEnd) {
  EXPECT_EQ(DumpYaml(Value("a")), "a\n...\n");
  EXPECT_EQ(DumpYaml(Value("12")), "'12'\n");
  EXPECT_EQ(DumpYaml(Value(12)), "12\n...\n");
  EXPECT_EQ(DumpYaml(Value(List{})), "[]\n");
  EXPECT_EQ(DumpYaml(Value(Dict{})), "{}\n");
}

TEST(DumpYaml, PlacesCollectionsAsPyYamlDoes) {
  struct Case {
    const char* what;
    const char* yaml;  // Both the input and the expected output.
  };
  const Case cases[] = {
      {"items stand under their key", "a:\n- 1\n- 2\n"},
      {"mappings are indented", "a:\n  b:\n    c: 1\n"},
      {"mapping in a list", "- a: 1\n  b: 2\n- c: 3\n"},
      {"list in a list", "- - 1\n  - 2\n- - - 3\n"},
      {"empty ones", "a: []\nb: {}\nc:\n- []\n- {}\n"},
      {"empty key", "? ''\n: 1\n"},
      {"empty key with a list", "? ''\n: - 1\n  - 2\n"},
      {"keys of other types", "2: a\nnull: b\ntrue: c\n1.5: d\n'1': e\n"},
      {"key with two lines", "? 'a\n\n  b'\n: c: 1\n"},
      {"bytes as a key", "? !!binary |\n  YQ==\n: 1\n"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<Value> value = LoadYaml(c.yaml, "");
    ASSERT_TRUE(value.ok());
    EXPECT_EQ(DumpYaml(value.value()), c.yaml);
  }
}

TEST(DumpYaml, FoldsAtTheFirstSpaceBehindColumnEighty) {
  const std::string words = std::string(40, 'a') + " " + std::string(40, 'b');
  EXPECT_EQ(DumpYaml(Under("k", words + " c")), "k: " + words + "\n  c\n");
  EXPECT_EQ(DumpYaml(Under("k", words + "  c")), "k: " + words + "  c\n");
  EXPECT_EQ(DumpYaml(Under("k", "#" + words + " c")), "k: '#" + words + "\n  c'\n");
  EXPECT_EQ(
      DumpYaml(Under("k", "\a" + words + " c")),
      "k: \"\\a" + std::string(40, 'a') + " " + std::string(40, 'b') + "\\\n  \\ c\"\n");
}

TEST(DumpYaml, PutsAKeyOfMoreThan122CharactersBehindAQuestionMark) {
  const std::string longest(122, 'k');
  EXPECT_EQ(DumpYaml(Under(longest.c_str(), 1)), longest + ": 1\n");
  EXPECT_EQ(DumpYaml(Under((longest + "k").c_str(), 1)), "? " + longest + "k\n: 1\n");
}

}  // namespace
}  // namespace ridgeline::config
