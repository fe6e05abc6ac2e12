#include "config/overrides/override_message.h"

#include "config/value/unicode.h"

namespace ridgeline::config {
namespace {

constexpr std::string_view kSeeAlso =
    "\nSee https://hydra.cc/docs/1.2/advanced/override_grammar/basic for details";

// Longer tokens would drown out the message itself.
constexpr size_t kShownTokenBytes = 40;

// The override with a caret below the character at `offset`.
std::string WithCaret(std::string_view line, size_t offset) {
  std::string text = "\n" + std::string(line) + "\n";
  for (size_t at = 0; at < offset; at += DecodeUtf8(line, at).length) {
    text += line[at] == '\t' ? '\t' : ' ';
  }
  return text + "^";
}

std::string_view FirstCharacter(std::string_view line, size_t at) {
  return line.substr(at, DecodeUtf8(line, at).length);
}

std::string ShownToken(std::string_view line, const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end of the override";
  std::string_view text = line.substr(token.begin, token.end - token.begin);
  // Skip blanks absorbed by a separator.
  const size_t first = text.find_first_not_of(" \t");
  const size_t last = text.find_last_not_of(" \t");
  if (first != std::string_view::npos) text = text.substr(first, last - first + 1);
  if (text.size() <= kShownTokenBytes) return "'" + std::string(text) + "'";
  return "'" + std::string(text.substr(0, kShownTokenBytes)) + "...'";
}

OverrideError Make(OverrideFault fault, ErrorKind kind, std::string message) {
  message += kSeeAlso;
  return OverrideError(fault, kind, std::move(message));
}

}  // namespace

OverrideError LexerError(std::string_view line, const Token& token) {
  const char c = line[token.begin];
  const bool in_value = line.substr(0, token.begin).find('=') != std::string_view::npos;
  std::string what;
  if (in_value && (c == '\'' || c == '"')) {
    what = "the quote " + std::string(1, c) + " is never closed";
  } else {
    what =
        "unexpected character '" + std::string(FirstCharacter(line, token.begin)) + "'";
    what += in_value ? " in a value (put the value in quotes)" : " in a key";
  }
  return Make(OverrideFault::kLexer, ErrorKind::kOverrideParse,
              what + WithCaret(line, token.begin));
}

OverrideError SyntaxError(std::string_view line, const Token& token,
                          std::string_view expected) {
  std::string what = "expected " + std::string(expected) + ", found ";
  what += ShownToken(line, token);
  const std::string_view before = line.substr(0, token.begin);
  const bool is_second_at = line.substr(token.begin).starts_with('@') &&
                            before.find('@') != std::string_view::npos &&
                            before.find('=') == std::string_view::npos;
  if (is_second_at) what += ": a key has one '@', as in GROUP@PACKAGE=VALUE";
  return Make(OverrideFault::kSyntax, ErrorKind::kOverrideParse,
              what + WithCaret(line, token.begin));
}

OverrideError DepthError(std::string_view line, const Token& token) {
  // The line is too long to show.
  return Make(OverrideFault::kSyntax, ErrorKind::kLimit,
              "more than " + std::to_string(kOverrideMaxDepth) +
                  " levels of brackets in the override '" +
                  std::string(line.substr(0, kShownTokenBytes)) + "...' at character " +
                  std::to_string(token.begin + 1));
}

OverrideError SemanticError(std::string_view line, std::string_view what) {
  return Make(OverrideFault::kSemantic, ErrorKind::kOverrideParse,
              "Error parsing override '" + std::string(line) + "'\n" + std::string(what));
}

OverrideError FunctionError(std::string_view line, std::string_view call_text,
                            const Raised& raised) {
  return Make(OverrideFault::kFunction, ErrorKind::kOverrideParse,
              "Error parsing override '" + std::string(line) + "'\n" +
                  std::string(raised.class_name) + " while evaluating '" +
                  std::string(call_text) + "': " + raised.message);
}

}  // namespace ridgeline::config
