#include "config/tree/interpolation_lexer.h"

#include <gtest/gtest.h>

#include <string>

namespace ridgeline::config {
namespace {

using Mode = InterpolationLexer::Mode;

std::string_view TypeWord(InterpolationTokenType type) {
  switch (type) {
    case InterpolationTokenType::kEnd:
      return "end";
    case InterpolationTokenType::kInterOpen:
      return "inter_open";
    case InterpolationTokenType::kInterClose:
      return "inter_close";
    case InterpolationTokenType::kBraceOpen:
      return "brace_open";
    case InterpolationTokenType::kBraceClose:
      return "brace_close";
    case InterpolationTokenType::kQuoteOpen:
      return "quote_open";
    case InterpolationTokenType::kQuoteClose:
      return "quote_close";
    case InterpolationTokenType::kBracketOpen:
      return "bracket_open";
    case InterpolationTokenType::kBracketClose:
      return "bracket_close";
    case InterpolationTokenType::kComma:
      return "comma";
    case InterpolationTokenType::kColon:
      return "colon";
    case InterpolationTokenType::kDot:
      return "dot";
    case InterpolationTokenType::kId:
      return "id";
    case InterpolationTokenType::kInterKey:
      return "key";
    case InterpolationTokenType::kFloat:
      return "float";
    case InterpolationTokenType::kInt:
      return "int";
    case InterpolationTokenType::kBool:
      return "bool";
    case InterpolationTokenType::kNull:
      return "null";
    case InterpolationTokenType::kUnquotedChar:
      return "char";
    case InterpolationTokenType::kWhitespace:
      return "blank";
    case InterpolationTokenType::kAnyText:
      return "text";
    case InterpolationTokenType::kEscape:
      return "escape";
    case InterpolationTokenType::kEscapedInter:
      return "escaped_inter";
    case InterpolationTokenType::kTopBackslashes:
      return "top_backslashes";
    case InterpolationTokenType::kQuotedBackslashes:
      return "quoted_backslashes";
  }
  return "?";
}

// "id<a> comma<, > int<1>", followed by the error message, if any.
std::string Tokens(std::string_view text, Mode mode) {
  InterpolationLexer lexer(text, mode);
  std::string words;
  while (true) {
    const Result<InterpolationToken> token = lexer.Next();
    if (!token.ok()) return words + "! " + token.error().message;
    const auto [type, begin, end] = token.value();
    if (type == InterpolationTokenType::kEnd) break;
    words += TypeWord(type);
    words += '<';
    words += text.substr(begin, end - begin);
    words += "> ";
  }
  if (!words.empty()) words.pop_back();
  return words;
}

struct LexerCase {
  std::string_view text;
  std::string_view want;
};

TEST(InterpolationLexerTest, TakesTheLongestNumberAndWord) {
  const LexerCase cases[] = {
      {"1_000", "int<1_000>"},
      {"1__0", "int<1> id<__0>"},
      {"007", "int<0> int<0> int<7>"},
      {"00.5", "int<0> float<0.5>"},
      {"+.5e+1_0", "float<+.5e+1_0>"},
      {"5.", "float<5.>"},
      {"1._5", "float<1.> id<_5>"},
      {"1e3.", "float<1e3> char<.>"},
      {"1e+", "int<1> id<e> char<+>"},
      {"-inf", "float<-inf>"},
      {"-infx", "float<-inf> id<x>"},
      {"infx NaN", "id<infx> blank< > float<NaN>"},
      {"inf-", "id<inf->"},
      {"TrUe,false,nulls,NULL",
       "bool<TrUe> comma<,> bool<false> comma<,> id<nulls> comma<,> null<NULL>"},
      {".e5", "char<.> id<e5>"},
      {"-", "char<->"},
  };
  for (const LexerCase& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(Tokens(c.text, Mode::kValue), c.want);
  }
}

TEST(InterpolationLexerTest, BlanksBelongToPunctuation) {
  const LexerCase cases[] = {
      {"a , b", "id<a> comma< , > id<b>"},
      {"[ a ]", "bracket_open<[ > id<a> bracket_close< ]>"},
      {"{ a : b }", "brace_open<{ > id<a> colon< : > id<b> brace_close< }>"},
      {"a\t b", "id<a> blank<\t > id<b>"},
      {"${ a }", "inter_open<${ > id<a> inter_close< }>"},
      {"${a : b}", "inter_open<${> id<a> colon< : > id<b> brace_close<}>"},
  };
  for (const LexerCase& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(Tokens(c.text, Mode::kValue), c.want);
  }
}

TEST(InterpolationLexerTest, KeysHoldNearlyEverything) {
  EXPECT_EQ(Tokens("${a.0[b-1].x,y=\n.$z.é}", Mode::kText),
            "inter_open<${> id<a> dot<.> key<0> bracket_open<[> id<b-1> "
            "bracket_close<]> dot<.> key<x,y=\n> dot<.> key<$z> dot<.> key<é> "
            "inter_close<}>");
}

TEST(InterpolationLexerTest, CountsBackslashesInText) {
  const LexerCase cases[] = {
      {R"(a\b$c\)", R"(text<a\b> text<$> text<c> text<\>)"},
      {R"(\${a})", R"(escaped_inter<\${> text<a}>)"},
      {R"(\\${a})", R"(top_backslashes<\\> inter_open<${> id<a> inter_close<}>)"},
      {R"(\\\${a})", R"(escaped_inter<\\\${> text<a}>)"},
      {R"(\\\$)", R"(text<\\\> text<$>)"},
      {"$${a}", "text<$> inter_open<${> id<a> inter_close<}>"},
  };
  for (const LexerCase& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(Tokens(c.text, Mode::kText), c.want);
  }
}

TEST(InterpolationLexerTest, QuotedStringsEndAtTheirOwnQuote) {
  const LexerCase cases[] = {
      {R"('a"b'c)", R"(quote_open<'> text<a"b> quote_close<'> id<c>)"},
      {R"("\"'")", R"(quote_open<"> escape<\"> text<'> quote_close<">)"},
      {R"('\\')", R"(quote_open<'> quoted_backslashes<\\> quote_close<'>)"},
      {R"('\${')", R"(quote_open<'> escaped_inter<\${> quote_close<'>)"},
      {"'${f:'x'}'",
       "quote_open<'> inter_open<${> id<f> colon<:> quote_open<'> text<x> quote_close<'> "
       "brace_close<}> quote_close<'>"},
  };
  for (const LexerCase& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(Tokens(c.text, Mode::kValue), c.want);
  }
}

TEST(InterpolationLexerTest, EscapesInValuesComeInPairs) {
  EXPECT_EQ(Tokens(R"(\,\\\ x\y)", Mode::kValue),
            R"(escape<\,\\\ > id<x> char<\> id<y>)");
}

TEST(InterpolationLexerTest, SaysWhereItGaveUp) {
  const LexerCase cases[] = {
      {"a(b", "id<a> ! token recognition error at: '('"},
      {"é", "! token recognition error at: 'é'"},
      {"\n", "! token recognition error at: '\\n'"},
      {"${a  b}", "inter_open<${> id<a> ! token recognition error at: '  b'"},
      {"${a\t", "inter_open<${> id<a> ! token recognition error at: '\\t'"},
      {"}", "! Empty Stack"},
  };
  for (const LexerCase& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(Tokens(c.text, Mode::kValue), c.want);
  }
}

}  // namespace
}  // namespace ridgeline::config
