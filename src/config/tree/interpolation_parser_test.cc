#include "config/tree/interpolation_parser.h"

#include <gtest/gtest.h>

#include <string>

#include "config/tree/interpolation_lexer.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

std::string Written(const Element& element);
std::string Written(const Interpolation& interpolation);

std::string Written(const TextPart& part) {
  if (const auto* literal = std::get_if<std::string>(&part)) return Repr(*literal);
  return Written(*std::get<InterpolationPtr>(part));
}

template <typename Parts>
std::string ShowAll(const Parts& parts, std::string_view between) {
  std::string shown;
  for (const auto& part : parts) {
    if (!shown.empty()) shown += between;
    shown += Written(part);
  }
  return shown;
}

std::string Missing(const std::string& sequence) {
  return sequence.empty() ? "" : " missing in " + Repr(sequence);
}

struct FormShower {
  std::string operator()(const Literal& literal) const { return Repr(literal.value); }
  std::string operator()(const Mixed& mixed) const {
    return "mixed(" + ShowAll(mixed.text.parts, " ") + ")";
  }
  std::string operator()(const Quoted& quoted) const {
    return "quoted(" + ShowAll(quoted.text.parts, " ") + ")";
  }
  std::string operator()(const ListLiteral& list) const {
    return "[" + ShowAll(list.items, ", ") + "]" +
           Missing(list.sequence_with_missing_elements);
  }
  std::string operator()(const DictLiteral& dict) const {
    std::string shown;
    for (const auto& [key, value] : dict.items) {
      if (!shown.empty()) shown += ", ";
      shown += Repr(key) + ": " + Written(value);
    }
    return "{" + shown + "}";
  }
  std::string operator()(const NodeReference& node) const {
    return "node(" + ShowAll(node.pieces, " ") + ")";
  }
  std::string operator()(const ResolverCall& call) const {
    return "call(" + ShowAll(call.name, " ") + ": " + ShowAll(call.arguments, ", ") +
           ")" + Missing(call.sequence_with_missing_elements);
  }
};

std::string Written(const Element& element) {
  return std::visit(FormShower(), element.form);
}
std::string Written(const Interpolation& interpolation) {
  return std::visit(FormShower(), interpolation.form);
}

std::string ShowText(std::string_view text) {
  const Result<Text> parsed = ParseText(text);
  if (!parsed.ok()) return "! " + parsed.error().message;
  return ShowAll(parsed.value().parts, " ");
}

std::string ShowElement(std::string_view text) {
  const Result<Element> parsed = ParseElement(text);
  if (!parsed.ok()) return "! " + parsed.error().message;
  return Written(parsed.value());
}

std::string Repeated(std::string_view piece, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += piece;
  return text;
}

struct ParserCase {
  std::string_view text;
  std::string_view want;
};

template <size_t kCount>
void ExpectTexts(const ParserCase (&cases)[kCount]) {
  for (const ParserCase& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(ShowText(c.text), c.want);
  }
}

template <size_t kCount>
void ExpectElements(const ParserCase (&cases)[kCount]) {
  for (const ParserCase& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(ShowElement(c.text), c.want);
  }
}

TEST(InterpolationParserTest, SplitsKeysIntoPieces) {
  ExpectTexts({
      {"${a.b}", "node('a' '.' 'b')"},
      {"${ a }", "node('a')"},
      {"${..a[0].x,y}", "node('.' '.' 'a' '[' '0' ']' '.' 'x,y')"},
      {"${[a][b]}", "node('[' 'a' ']' '[' 'b' ']')"},
      {"${a.${b}[${c}]}", "node('a' '.' node('b') '[' node('c') ']')"},
      {"${$x}", "node('$x')"},
      {"${a\n}", "node('a\\n')"},
  });
}

TEST(InterpolationParserTest, JoinsLiteralTextAndUnescapesOnlyWhatCouldBeMistaken) {
  ExpectTexts({
      {"x ${a} y", "'x ' node('a') ' y'"},
      {"$x\\y$", "'$x\\\\y$'"},
      {R"(\${a})", "'${a}'"},
      {R"(a\\${b})", R"('a\\' node('b'))"},
      {R"(a\\\${b})", R"('a\\${b}')"},
      {R"(\\x\\)", R"('\\\\x\\\\')"},
      {"${a}${b}", "node('a') node('b')"},
      {"a}", "'a}'"},
  });
}

TEST(InterpolationParserTest, ReadsResolverCalls) {
  ExpectTexts({
      {"${f:}", "call('f': )"},
      {"${f: }", "call('f': )"},
      {"${oc.env:HOME,/x y}", "call('oc' 'env': 'HOME', mixed('/x y'))"},
      {"${ns.${x}:1}", "call('ns' node('x'): 1)"},
      {"${f : ${a} , [1, ${b}] }", "call('f': mixed(node('a')), [1, mixed(node('b'))])"},
      {"${f:a:b}", "call('f': mixed('a:b'))"},
      {"${f:'a,b'}", "call('f': quoted('a,b'))"},
      {"${f:{a: {b: 1}}}", "call('f': {'a': {'b': 1}})"},
      {"${f:${g:}}", "call('f': mixed(call('g': )))"},
  });
}

TEST(InterpolationParserTest, OneTokenHasATypeAndSeveralAreAString) {
  ExpectElements({
      {"10", "10"},
      {"-1_000", "-1000"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"007", "mixed('007')"},
      {"1.5", "1.5"},
      {".5e1_0", "5000000000.0"},
      {"5.", "5.0"},
      {"-inf", "-inf"},
      {"NAN", "nan"},
      {"1e999", "inf"},
      {"TrUe", "True"},
      {"False", "False"},
      {"Null", "None"},
      {"abc", "'abc'"},
      {":", "':'"},
      {" : ", "' : '"},
      {"a : b", "mixed('a : b')"},
      {" 1", "mixed(' 1')"},
      {"1 2", "mixed('1 2')"},
      {"null null", "mixed('null null')"},
      {R"(\,)", "','"},
      {R"(a\,b\\\}c\d)", R"(mixed('a,b\\}c\\d'))"},
      {"x${a}", "mixed('x' node('a'))"},
      {"${a}", "mixed(node('a'))"},
  });
}

TEST(InterpolationParserTest, QuotedStringsKeepWhatNeedsNoEscape) {
  ExpectElements({
      {"''", "quoted()"},
      {R"('\'')", R"(quoted("'"))"},
      {R"('\"')", R"(quoted('\\"'))"},
      {R"('a\\')", R"(quoted('a\\'))"},
      {R"('a\\b')", R"(quoted('a\\\\b'))"},
      {R"('\\${a}\\')", R"(quoted('\\' node('a') '\\'))"},
      {R"("\${a}")", "quoted('${a}')"},
      {"'${a}'", "quoted(node('a'))"},
      {"'1'", "quoted('1')"},
  });
}

TEST(InterpolationParserTest, ReadsListsAndDicts) {
  ExpectElements({
      {"[]", "[]"},
      {"[ 1 , [a] ]", "[1, ['a']]"},
      {"{}", "{}"},
      {"{a:1,2:b,null:{},x y:z:z}", "{'a': 1, 2: 'b', None: {}, 'x y': mixed('z:z')}"},
      {R"({a\:b:1})", "{'a:b': 1}"},
      {"{a:1,a:2}", "{'a': 1, 'a': 2}"},
  });
}

TEST(InterpolationParserTest, MissingElementsAreEmptyStringsAndTold) {
  ExpectElements({
      {"[a,,b]", "['a', '', 'b'] missing in 'a,,b'"},
      {"[ , ]", "['', ''] missing in ', '"},
      {"[a, ]", "['a', ''] missing in 'a, '"},
      {"${f:,a}", "mixed(call('f': '', 'a') missing in ',a')"},
  });
}

TEST(InterpolationParserTest, KeepsTheSourceOfEveryPiece) {
  const Result<Text> parsed = ParseText("x${ f : [1, 2 ] , 'a' ,${ b } c,}y");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  const auto& outer = *std::get<InterpolationPtr>(parsed.value().parts[1]);
  EXPECT_EQ(outer.source, "${ f : [1, 2 ] , 'a' ,${ b } c,}");
  const auto& call = std::get<ResolverCall>(outer.form);
  ASSERT_EQ(call.arguments.size(), 4u);
  EXPECT_EQ(call.arguments[0].source, "[1, 2 ]");
  EXPECT_EQ(call.arguments[1].source, "'a'");
  EXPECT_EQ(call.arguments[2].source, "${ b } c");
  EXPECT_EQ(call.arguments[3].source, "");
  const auto& mixed = std::get<Mixed>(call.arguments[2].form);
  EXPECT_EQ(std::get<InterpolationPtr>(mixed.text.parts[0])->source, "${ b }");
}

TEST(InterpolationParserTest, RefusesTextThatIsNotGrammatical) {
  const std::string_view texts[] = {
      "",         "${",      "${}",       "${a",       "${a b}",
      "${a..b}",  "${a.}",   "${.}",      "${[a}",     "${a]}",
      "${:x}",    "${a$:x}", "${0:x}",    "${[a]:x}",  "${.f:x}",
      "${a${b}}", "${f:(}",  "${f:a=b}",  "${f:'a}",   "${f:{a}}",
      "${f:[}",   "${f:]}",  "${f:'a'b}", "${f:{:1}}", "${f:{${a}:1}}",
      "${f:\n}",  "${f:a",
  };
  for (const std::string_view text : texts) {
    SCOPED_TRACE(text);
    const Result<Text> parsed = ParseText(text);
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().kind, ErrorKind::kGrammarParse);
  }
  for (const std::string_view text :
       {"", "}", "a}", "'a' ", "[1] [2]", "a,b", "{a:1,}"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(ParseElement(text).ok());
  }
}

TEST(InterpolationParserTest, SpeaksAsAntlrDoes) {
  ExpectTexts({
      {"${a b}", "! token recognition error at: ' b'"},
      {"${a", "! no viable alternative at input '${a'"},
      {"x${}", "! no viable alternative at input '${}'"},
      {"${${a..b}}", "! no viable alternative at input '${${a..'"},
      {"${a.0", "! mismatched input '<EOF>' expecting {BRACKET_OPEN, INTER_CLOSE, '.'}"},
      {"${f:'x'", "! missing BRACE_CLOSE at '<EOF>'"},
  });
}

TEST(InterpolationParserTest, TellsWhatPythonCannotMakeAValueOfOnlyAfterParsingAll) {
  const std::string digits(4301, '7');
  const Result<Element> parsed = ParseElement(digits);
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().kind, ErrorKind::kValue);
  EXPECT_TRUE(CheckStoredText("${f:[" + digits + "]}").ok());
  EXPECT_FALSE(CheckStoredText("${f:[" + digits + "],(}").ok());

  const Result<Element> blank = ParseElement(" ");
  ASSERT_FALSE(blank.ok());
  EXPECT_EQ(blank.error().kind, ErrorKind::kAssertion);
}

TEST(InterpolationParserTest, BoundsTheDepth) {
  const size_t limit = InterpolationLexer::kMaxDepth;
  const auto lists = [](size_t depth) {
    return Repeated("[", depth) + Repeated("]", depth);
  };
  EXPECT_TRUE(ParseElement(lists(limit)).ok());
  EXPECT_FALSE(ParseElement(lists(limit + 1)).ok());
  const auto nodes = [](size_t depth) {
    return Repeated("${", depth) + "a" + Repeated("}", depth);
  };
  EXPECT_TRUE(ParseText(nodes(limit)).ok());
  EXPECT_FALSE(ParseText(nodes(limit + 1)).ok());
  EXPECT_FALSE(ParseText(Repeated("${f:{a:'", 100'000)).ok());
}

TEST(InterpolationParserTest, KnowsWhatToParse) {
  EXPECT_TRUE(HoldsInterpolation("a${b"));
  EXPECT_TRUE(HoldsInterpolation("\\${b}"));
  EXPECT_FALSE(HoldsInterpolation("$b {c}"));
  EXPECT_FALSE(HoldsInterpolation(""));
}

TEST(CheckStoredTextTest, LetsSimpleFormsThroughEvenIfTheyDoNotParse) {
  for (const std::string_view text : {"${:x}", "${f:a\n,b}", "x ${ \n a }$ ${:\v1 }\n"}) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(CheckStoredText(text).ok());
    EXPECT_FALSE(ParseText(text).ok());
  }
}

TEST(CheckStoredTextTest, ParsesEverythingElse) {
  for (const std::string_view text :
       {"plain", "", "${a}", "${f:}", "${f:[1]}", "${a-b}", "\\${", "${a.${b}}"}) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(CheckStoredText(text).ok());
  }
  for (const std::string_view text :
       {"${", "${a", "${a b}", "${:}", "${:a b}", "${:x} ${", "${-a:x}", "${a..b}"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(CheckStoredText(text).ok());
  }
}

}  // namespace
}  // namespace ridgeline::config
