#include "config/overrides/override_lexer.h"

#include <gtest/gtest.h>

#include <string>

namespace ridgeline::config {
namespace {

std::string NameOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kTilde:
    case TokenKind::kPlus:
    case TokenKind::kAt:
    case TokenKind::kSlash:
    case TokenKind::kEqual:
    case TokenKind::kColon:
    case TokenKind::kParenOpen:
    case TokenKind::kParenClose:
    case TokenKind::kBracketOpen:
    case TokenKind::kBracketClose:
    case TokenKind::kBraceOpen:
    case TokenKind::kBraceClose:
    case TokenKind::kComma:
      return "";
    case TokenKind::kKeySpecial:
      return "special";
    case TokenKind::kDotPath:
      return "path";
    case TokenKind::kName:
      return "name";
    case TokenKind::kFloat:
      return "float";
    case TokenKind::kInt:
      return "int";
    case TokenKind::kBool:
      return "bool";
    case TokenKind::kNull:
      return "null";
    case TokenKind::kUnquotedChar:
      return "char";
    case TokenKind::kEscape:
      return "escape";
    case TokenKind::kSpace:
      return "space";
    case TokenKind::kQuoted:
      return "quoted";
    case TokenKind::kInterpolation:
      return "interpolation";
    case TokenKind::kEnd:
      return "end";
    case TokenKind::kInvalid:
      return "invalid";
  }
  return "";
}

// "name<a> <=> int<1>", without the end token.
std::string ShownTokens(std::string_view line) {
  std::string text;
  for (const Token& token : LexOverride(line)) {
    if (token.kind == TokenKind::kEnd) break;
    if (!text.empty()) text += " ";
    text += NameOf(token.kind) + "<";
    text += line.substr(token.begin, token.end - token.begin);
    text += ">";
  }
  return text;
}

TEST(OverrideLexer, SplitsKeys) {
  struct Case {
    const char* what;
    const char* line;
    const char* want;
  } cases[] = {
      {"a name", "foo-bar_1", "name<foo-bar_1>"},
      {"a dollar makes it special", "a$b", "special<a$b>"},
      {"numbers are parts of a path", "a.0.b", "path<a.0.b>"},
      {"a path may start with a number", "1_0.a", "path<1_0.a>"},
      {"a number alone is no key", "1", "invalid<1>"},
      {"a leading zero ends the path", "a.01", "path<a.0> invalid<1>"},
      {"a trailing dot is left over", "a.b.", "path<a.b> invalid<.>"},
      {"letters after a number start anew", "a.1b", "path<a.1> name<b>"},
      {"prefix, group and package", "++a/b@c", "<+> <+> name<a> </> name<b> <@> name<c>"},
      {"blanks after '=' belong to it", "a= \t1", "name<a> <= \t> int<1>"},
      {"blanks before '=' do not", "a =1", "name<a> invalid< >"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(ShownTokens(c.line), c.want);
  }
}

TEST(OverrideLexer, SplitsValues) {
  struct Case {
    const char* what;
    const char* value;
    const char* want;
  } cases[] = {
      {"integers", "10,-1,+1_000", "int<10> <,> int<-1> <,> int<+1_000>"},
      {"a leading zero stands alone", "007", "int<0> int<0> int<7>"},
      {"an underscore has to be between digits", "1_", "int<1> name<_>"},
      {"two underscores are too many", "1__0", "int<1> name<__0>"},
      {"floats", "1.,.5,1e3,-1.5E-3",
       "float<1.> <,> float<.5> <,> float<1e3> <,> float<-1.5E-3>"},
      {"an exponent needs digits", "1e", "int<1> name<e>"},
      {"special floats in any case", "iNf,-nan", "float<iNf> <,> float<-nan>"},
      {"a longer word is a name", "info", "name<info>"},
      {"a sign takes only the float", "-info", "float<-inf> name<o>"},
      {"words", "tRuE,NULL,truex", "bool<tRuE> <,> null<NULL> <,> name<truex>"},
      {"separators swallow blanks", "[ a , b ]", "<[ > name<a> < , > name<b> < ]>"},
      {"inner blanks are kept", "a b", "name<a> space< > name<b>"},
      {"escapes run together", "\\,\\ x", "escape<\\,\\ > name<x>"},
      {"a backslash before anything else is itself", "\\x", "char<\\> name<x>"},
      {"an interpolation ends at the first brace", "${a:${b}}",
       "interpolation<${a:${b}> <}>"},
      {"an empty interpolation is none", "${}", "char<$> <{> <}>"},
      {"an open interpolation is none", "${a", "char<$> <{> name<a>"},
      {"quotes", "'a\"b',\"c'd\"", "quoted<'a\"b'> <,> quoted<\"c'd\">"},
      {"an escaped quote goes on", "'a\\'b'", "quoted<'a\\'b'>"},
      {"a pair of backslashes does not escape", "'a\\\\'x", "quoted<'a\\\\'> name<x>"},
      {"an open quote", "'a", "invalid<'a>"},
      {"unknown character", "a;b", "name<a> invalid<;>"},
      {"unquoted text is ASCII", "\xC3\xA9", "invalid<\xC3>"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(ShownTokens("k=" + std::string(c.value)),
              "name<k> <=> " + std::string(c.want));
  }
}

}  // namespace
}  // namespace ridgeline::config
